// Processes: identity, liveness, command line.
export { FileHolders } from './linux/holders/file-holders.js';
export { commandLineOf, programName } from './linux/identity/command-line.js';
export {
  bootId,
  cpuWantedMs,
  hasNumber,
  identify,
  isOwn,
  livenessOf,
  type ProcessRow,
  readRow,
  startTicks,
} from './linux/identity/identify.js';
export { ourselvesAndAbove } from './linux/members/ancestors.js';
export { openPidfd } from './linux/native/pidfd.js';
export { readChildren } from './linux/proc/children.js';
export { entryOf } from './linux/proc/environ.js';
export { parseStat } from './linux/proc/stat.js';
export { parseStatus } from './linux/proc/status.js';
export { waitsForInput } from './linux/proc/syscall.js';
