// Facts about this machine and this process.
export { ageMs, uptimeMs } from './linux/machine/age.js';
export { rememberAlarms } from './linux/machine/alarms.js';
export {
  type Descriptors,
  descriptors,
  keptDescriptorsMax,
  openFilesLimit,
  spareDescriptors,
} from './linux/machine/descriptors.js';
export { isForeground, ownsTerminal } from './linux/machine/foreground.js';
export { hasProc, needProc, noProc } from './linux/machine/has-proc.js';
export { ownDirectory } from './linux/machine/own-directory.js';
export { ownThreadCpuMs } from './linux/machine/own-thread-cpu.js';
export { areOwnWordsWhole } from './linux/machine/own-words.js';
export { pageBytes } from './linux/machine/page-size.js';
export { unreadBytes } from './linux/machine/unread-bytes.js';
export { loadLibc } from './linux/native/libc.js';
export { type FilePiece, sendFile } from './linux/native/send-file.js';
export { listNumbers, readBytes, readLink, readText } from './linux/proc/proc-file.js';
