import { loadLibc } from '../probe/machine.js';

const PR_SET_DUMPABLE = 4;

/** The end of this process writes no core file; false: not possible here. */
export function leaveNoCore(): boolean {
  return loadLibc()?.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) === 0;
}

/** Ends this process at once. Without koffi it ends when the reader reads or closes. */
export function leaveAtOnce(code: number): void {
  loadLibc()?._exit(code);
}
