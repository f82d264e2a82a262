export { loadSnapshot, saveSnapshot } from '../probe/replay/snapshot-file.js';
