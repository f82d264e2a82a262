import type { ProcessIdentity } from '../model/facts/identity.js';
import type { Unknown } from '../model/facts/reading.js';
import { bootId, livenessOf, parseStat } from '../probe/processes.js';
import type { RunDirectory } from '../store/run-directory.js';
import { type Standing, unknownExit } from './state.js';

const unreadableProcess: Unknown = { kind: 'unknown', reason: 'the process table cannot be read' };

/**
 * The state of a run, from its directory and the process table alone. `boot`: the boot id of the machine when the run
 * was started.
 */
export function standingOf(directory: RunDirectory, boot: string): Standing {
  // Read in the order in which the shim writes them, because a file may appear at any moment.
  const claim = directory.claimed;
  const shimLine = directory.readShim();
  const leaderLine = directory.readLeader();
  if (claim.kind === 'unknown') return claim;
  if (shimLine.kind === 'unknown') return shimLine;
  if (leaderLine.kind === 'unknown') return leaderLine;
  const now = bootId();
  if (now === '') return unreadableProcess;
  const leader = identityIn(leaderLine.value, boot);
  const shim = identityIn(shimLine.value, boot);
  const shimLiveness = shim === null ? 'ended' : livenessOf(shim);
  if (shimLiveness === 'unknown') return unreadableProcess;
  const keeping = shimLiveness === 'alive' ? shim : null;
  const exit = directory.readExit();
  if (exit.kind === 'unknown') return exit;
  if (exit.value !== null) return { kind: 'ended', exit: exit.value, leader, shim: keeping };
  if (keeping !== null) {
    return leader === null ? { kind: 'starting' } : { kind: 'running', leader, shim: keeping };
  }
  if (boot === now) {
    if (claim.value === 'not') return { kind: 'unclaimed' };
    // The shim has made the file and not yet written its identity.
    if (claim.value === 'just now') return { kind: 'starting' };
  }
  return withoutShim(directory, leader);
}

/** Without a shim, nothing records how the command ends. The end may have been recorded a moment ago. */
function withoutShim(directory: RunDirectory, leader: ProcessIdentity | null): Standing {
  const liveness = leader === null ? 'ended' : livenessOf(leader);
  if (liveness === 'unknown') return unreadableProcess;
  if (leader !== null && liveness === 'alive') return { kind: 'running', leader, shim: null };
  const exit = directory.readExit();
  if (exit.kind === 'unknown') return exit;
  return { kind: 'ended', exit: exit.value ?? unknownExit, leader, shim: null };
}

function identityIn(stat: string, boot: string): ProcessIdentity | null {
  const parsed = stat === '' ? null : parseStat(Buffer.from(stat, 'latin1'));
  return parsed === null ? null : { bootId: boot, pid: parsed.pid, startTicks: parsed.startTicks };
}
