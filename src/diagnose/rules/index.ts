import type { Certainty, VerdictKind } from '../../model/verdict.js';
import type { Cause, CauseKind } from '../graph/cause.js';
import type { Task, View } from '../graph/view.js';
import { changing } from './changing.js';
import { computing } from './computing.js';
import { connecting } from './connecting.js';
import { connection } from './connection.js';
import { daemon } from './daemon.js';
import { datagram } from './datagram.js';
import { device } from './device.js';
import { disk } from './disk.js';
import { fifoPartner } from './fifo-partner.js';
import { fileLock } from './file-lock.js';
import { filesystem } from './filesystem.js';
import { frozen } from './frozen.js';
import { goroutines } from './goroutines.js';
import { hidden } from './hidden.js';
import { ipc } from './ipc.js';
import { kernelThread } from './kernel-thread.js';
import { knot } from './knot.js';
import { lingering } from './lingering.js';
import { listening } from './listening.js';
import { localPeer } from './local-peer.js';
import { lockCycle } from './lock-cycle.js';
import { otherEnd } from './other-end.js';
import { ourselves } from './ourselves.js';
import { ring } from './ring.js';
import type { Rule } from './rule.js';
import { signal } from './signal.js';
import { spinning } from './spinning.js';
import { starved } from './starved.js';
import { stdin } from './stdin.js';
import { stopped } from './stopped.js';
import { stuckGoroutines } from './stuck-goroutines.js';
import { terminal } from './terminal.js';
import { timer } from './timer.js';
import { transfer } from './transfer.js';
import { unknown } from './unknown.js';
import { unseenHolder } from './unseen-holder.js';
import { watching } from './watching.js';
import { zombie } from './zombie.js';

/** One row per cause: a cause without a rule does not compile. */
export const rules: { [K in CauseKind]: Rule<K> } = {
  changing,
  computing,
  connecting,
  connection,
  daemon,
  datagram,
  device,
  disk,
  'fifo-partner': fifoPartner,
  'file-lock': fileLock,
  filesystem,
  frozen,
  goroutines,
  hidden,
  ipc,
  'kernel-thread': kernelThread,
  knot,
  lingering,
  listening,
  'local-peer': localPeer,
  'lock-cycle': lockCycle,
  'other-end': otherEnd,
  ourselves,
  ring,
  signal,
  spinning,
  starved,
  stdin,
  stopped,
  'stuck-goroutines': stuckGoroutines,
  terminal,
  timer,
  transfer,
  unknown,
  'unseen-holder': unseenHolder,
  watching,
  zombie,
};

/** What a thread's own state says before its wait is looked at; the first that fits is the answer. */
const detectors = [
  ourselves,
  changing,
  zombie,
  kernelThread,
  stopped,
  frozen,
  starved,
  spinning,
  computing,
  transfer,
  disk,
];

export function detectCause(task: Task, view: View): Cause | null {
  for (const { detect } of detectors) {
    const cause = detect?.(task, view);
    if (cause) return cause;
  }
  return null;
}

/** Whether nothing promises that this ever comes. */
export function isOnlyPossible({ kind }: Cause): boolean {
  return rules[kind].onlyPossible === true;
}

/** The rule of a cause, with its verdict and certainty worked out. */
export function ruleFor(
  cause: Cause,
  task: Task,
  view: View,
): { verdict: VerdictKind; rank: number; certainty: Certainty } {
  // Each row takes its own cause; TypeScript cannot follow that through a union.
  const { verdict, rank, certainty } = rules[cause.kind] as unknown as Rule<CauseKind>;
  return {
    verdict: typeof verdict === 'function' ? verdict(cause) : verdict,
    rank,
    certainty: typeof certainty === 'function' ? certainty(cause, task, view) : certainty,
  };
}
