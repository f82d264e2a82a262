// Captures: what a plain shell reads of /proc, here or in another place.
export { saveCapture } from './linux/capture/capture-file.js';
export { snapshotOf } from './linux/capture/capture-snapshot.js';
export { collect, type RunScript } from './linux/capture/collect.js';
export { localShell } from './linux/capture/local-shell.js';
export { type PlaceSample, samplePlace } from './linux/capture/sample-script.js';
