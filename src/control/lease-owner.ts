import { isAbsent } from '../model/absence.js';
import { Failure } from '../model/failure.js';
import { startTicks } from '../probe/linux/identify.js';
import { readBytes } from '../probe/linux/proc-file.js';
import { parseStat } from '../probe/linux/stat.js';
import { checkPid } from './why.js';

/** Who owns a lease, by who asks: a process, whoever called us, or whoever leads the session of our terminal. */
export type OwnerWord = { pid: string } | 'parent' | 'terminal';

/** Proven here and now, so that the number cannot change hands on its way to the daemon. Throws a Failure. */
export function leaseOwner(word: OwnerWord): { pid: number; startTicks: number } {
  const pid = word === 'parent' ? process.ppid : word === 'terminal' ? sessionLeader() : checkPid(word.pid);
  const ticks = startTicks(pid);
  if (ticks !== null) return { pid, startTicks: ticks };
  throw new Failure('no-such-process', `there is no process ${pid}`, 'find one with: pgrep -f NAME');
}

function sessionLeader(): number {
  const bytes = readBytes('/proc/self/stat');
  const stat = isAbsent(bytes) ? null : parseStat(bytes);
  // Session 0: its leader is outside of our namespace.
  if (stat !== null && stat.terminal !== 0 && stat.session !== 0) return stat.session;
  throw new Failure(
    'bad-input',
    'this process has no terminal that could own a lease',
    'name the owner: --lease parent, or --lease pid:PID',
  );
}
