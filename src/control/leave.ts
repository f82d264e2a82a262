import { loadLibc } from '../probe/machine.js';

/** Ends this process at once. Without koffi it ends when the reader reads or closes. */
export function leaveAtOnce(code: number): void {
  loadLibc()?._exit(code);
}
