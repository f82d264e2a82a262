import { isAbsent } from '../model/facts/absence.js';
import { Failure } from '../model/failure.js';
import { readBytes } from '../probe/machine.js';
import { parseStat, startTicks } from '../probe/processes.js';
import { checkPid } from './why.js';

/** Owner of a lease: a process, our parent, or the leader of our terminal session. */
export type LeaseOwner = { pid: string } | 'parent' | 'terminal';

/** Identified here, so that the pid cannot be reused on its way to the daemon. Throws a Failure. */
export function leaseOwner(word: LeaseOwner): { pid: number; startTicks: number } {
  const pid = word === 'parent' ? process.ppid : word === 'terminal' ? sessionLeader() : checkPid(word.pid);
  const ticks = startTicks(pid);
  if (ticks !== null) return { pid, startTicks: ticks };
  throw new Failure('no-such-process', `there is no process ${pid}`, 'find a pid with: pgrep -f NAME');
}

function sessionLeader(): number {
  const bytes = readBytes('/proc/self/stat');
  const stat = isAbsent(bytes) ? null : parseStat(bytes);
  // Session 0: the leader is outside our pid namespace.
  if (stat !== null && stat.terminal !== 0 && stat.session !== 0) return stat.session;
  throw new Failure(
    'bad-input',
    'this process has no terminal, so no terminal can own the lease',
    'name the owner: --lease parent, or --lease pid:PID',
  );
}
