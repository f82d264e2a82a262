// Snapshots of several trees at once.
export { linuxProbe } from './linux/linux-probe.js';
export { nextReading } from './linux/snapshot/next-reading.js';
export { takeSnapshots } from './linux/snapshot/take-snapshots.js';
export { loadSnapshot, saveSnapshot } from './replay/snapshot-file.js';
