import { loadLibc } from '../probe/linux/libc.js';

/** Ends this process at once; without koffi the end comes when the reader reads, or goes. */
export function leaveAtOnce(code: number): void {
  loadLibc()?._exit(code);
}
