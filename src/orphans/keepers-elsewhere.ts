import { isAbsent } from '../model/absence.js';
import { readBytes } from '../probe/linux/proc-file.js';
import type { ProcessRow } from '../probe/linux/process-row.js';

/** The words before those of the run, as start-shim.ts writes them. */
const script = ['eval "$UNSTUCK_SHIM"', 'unstuck'];
const directoryAt = 0;
const idAt = 4;

/**
 * Where the runs of living shims are kept, by run id; empty: nowhere. With --log-dir that is not the state home: then
 * only its shim tells, and every run that is looked after has one.
 */
export function keepersElsewhere(rows: Iterable<ProcessRow>): Map<string, string> {
  const directories = new Map<string, string>();
  for (const { pid, session, kernelThread, ended, state } of rows) {
    // A shim leads its session. Reading from one that is blocked in the kernel may block us as well.
    if (pid !== session || kernelThread || ended || state === 'D') continue;
    const bytes = readBytes(`/proc/${pid}/cmdline`);
    if (isAbsent(bytes)) continue;
    const words = bytes.toString('utf8').split('\0');
    const at = words.indexOf(script[0] ?? '');
    if (at < 0 || words[at + 1] !== script[1]) continue;
    const told = words.slice(at + script.length);
    const id = told[idAt];
    if (id !== undefined) directories.set(id, told[directoryAt] ?? '');
  }
  return directories;
}
