// Facts about this machine and this process.
export { ageMs, uptimeMs } from './linux/identity/identify.js';
export { rememberAlarms } from './linux/machine/alarms.js';
export {
  type Descriptors,
  descriptors,
  keptDescriptorsMax,
  openFilesLimit,
  spareDescriptors,
} from './linux/machine/descriptors.js';
export { hasProc, needProc, needUnix, noProc } from './linux/machine/has-proc.js';
export {
  argvIsUtf8,
  isForeground,
  ownDirectory,
  ownsTerminal,
  ownThreadCpuMs,
  pageBytes,
  unreadBytes,
} from './linux/machine/own-process.js';
export { type FilePiece, loadLibc, sendFile } from './linux/native/libc.js';
export { listNumbers, readBytes, readLink, readText } from './linux/proc/proc-file.js';
