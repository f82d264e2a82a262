import type { ProcessIdentity } from '../../model/identity.js';
import type { Exit } from '../../model/run.js';
import { bootId } from '../../probe/linux/identify.js';
import { isAlive } from '../../probe/linux/is-alive.js';
import { parseStat } from '../../probe/linux/stat.js';
import type { RunDirectory } from '../../store/run-directory.js';
import { unknownExit } from '../await-end.js';

/** How far a run has come, by its directory and the process table alone. */
export type Standing =
  /** No shim has taken it: whoever wants it started may start one. */
  | { kind: 'unclaimed' }
  | { kind: 'starting' }
  /** keeper null: the shim was killed, and nobody will record how the command ends. */
  | { kind: 'running'; leader: ProcessIdentity; keeper: ProcessIdentity | null }
  /** keeper: the shim is still there, so there may be output to come. */
  | { kind: 'ended'; exit: Exit; leader: ProcessIdentity | null; keeper: ProcessIdentity | null };

/** `boot`: that of the machine when the run was started. */
export function standingOf(directory: RunDirectory, boot: string): Standing {
  // Each is read before what it is to be followed by: a file may appear at any moment.
  const claim = directory.claimed;
  const keeper = identityIn(directory.readKeeper(), boot);
  const leader = identityIn(directory.readLeader(), boot);
  const keeping = keeper !== null && isAlive(keeper) ? keeper : null;
  const exit = directory.readExit();
  if (exit !== null) return { kind: 'ended', exit, leader, keeper: keeping };
  if (keeping !== null) {
    return leader === null ? { kind: 'starting' } : { kind: 'running', leader, keeper: keeping };
  }
  if (boot === bootId()) {
    if (claim === 'not') return { kind: 'unclaimed' };
    // The shim has made the file and not written its name yet.
    if (claim === 'just now') return { kind: 'starting' };
  }
  if (leader !== null && isAlive(leader)) return { kind: 'running', leader, keeper: null };
  return { kind: 'ended', exit: directory.readExit() ?? unknownExit, leader, keeper: null };
}

function identityIn(stat: string, boot: string): ProcessIdentity | null {
  const parsed = stat === '' ? null : parseStat(Buffer.from(stat, 'latin1'));
  return parsed === null ? null : { bootId: boot, pid: parsed.pid, startTicks: parsed.startTicks };
}
