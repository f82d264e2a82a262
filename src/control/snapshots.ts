export { loadSnapshot, saveSnapshot } from '../probe/snapshots.js';
