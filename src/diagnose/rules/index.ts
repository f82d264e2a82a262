import type { Certainty, VerdictKind } from '../../model/verdict.js';
import { type Cause, type CauseKind, type Rule, waits } from '../graph/cause.js';
import type { Task, View } from '../graph/view.js';
import { changing } from './changing.js';
import { computing } from './computing.js';
import { disk } from './disk.js';
import { frozen } from './frozen.js';
import { kernelThread } from './kernel-thread.js';
import { ourselves } from './ourselves.js';
import { spinning } from './spinning.js';
import { starved } from './starved.js';
import { stopped } from './stopped.js';
import { transfer } from './transfer.js';
import { zombie } from './zombie.js';

/** A row per cause: a cause without a rule does not compile. */
export const rules: { [K in CauseKind]: Rule<K> } = {
  ...waits,
  changing,
  computing,
  disk,
  frozen,
  'kernel-thread': kernelThread,
  ourselves,
  spinning,
  starved,
  stopped,
  transfer,
  zombie,
};

/** Causes that show in the state of a thread, before its wait is examined; the first match is the answer. */
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

/** Whether nothing promises that this cause ever comes. */
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
