// Processes: identity, liveness, command line.
export { FileHolders } from './linux/holders/file-holders.js';
export { waitsForInput } from './linux/holders/waits-for-input.js';
export { bootId, identify, startTicks } from './linux/identity/identify.js';
export { livenessOf } from './linux/identity/liveness.js';
export { isOwn } from './linux/identity/process-owner.js';
export { type ProcessRow, readRow } from './linux/identity/process-row.js';
export { programName } from './linux/identity/program-name.js';
export { ourselvesAndAbove } from './linux/members/ancestors.js';
export { openPidfd } from './linux/native/pidfd.js';
export { readChildren } from './linux/proc/children.js';
export { commandLineOf } from './linux/proc/command-line.js';
export { entryOf } from './linux/proc/environ.js';
export { parseStat } from './linux/proc/stat.js';
export { parseStatus } from './linux/proc/status.js';
