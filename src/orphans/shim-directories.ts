import { isAbsent } from '../model/facts/absence.js';
import { readBytes } from '../probe/machine.js';
import type { ProcessRow } from '../probe/processes.js';

/** The arguments before those of the run, as start-shim.ts writes them. */
const script = ['eval "$UNSTUCK_SHIM"', 'unstuck'];
const directoryAt = 0;
const idAt = 4;

/**
 * Run directories of live shims, by run id; an empty path: the shim has no directory. With --log-dir a run is not in
 * the state home, and only its shim knows where it is. Every supervised run has a shim.
 */
export function shimDirectories(rows: Iterable<ProcessRow>): Map<string, string> {
  const directories = new Map<string, string>();
  for (const { pid, session, kernelThread, ended, state } of rows) {
    // A shim leads its session. Reading the cmdline of a process in state D may block us as well.
    if (pid !== session || kernelThread || ended || state === 'D') continue;
    const bytes = readBytes(`/proc/${pid}/cmdline`);
    if (isAbsent(bytes)) continue;
    const argv = bytes.toString('utf8').split('\0');
    const at = argv.indexOf(script[0] ?? '');
    if (at < 0 || argv[at + 1] !== script[1]) continue;
    const runArgs = argv.slice(at + script.length);
    const id = runArgs[idAt];
    if (id !== undefined) directories.set(id, runArgs[directoryAt] ?? '');
  }
  return directories;
}
