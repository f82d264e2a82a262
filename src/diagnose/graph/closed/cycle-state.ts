import { type Certainty, stuckKinds } from '../../../model/verdict.js';
import { isOnlyPossible } from '../../rules/index.js';
import { candidate } from '../candidate.js';
import { type End, type Exploration, pathTo } from '../explore.js';
import type { Task, View } from '../view.js';
import { joinMayEnd } from './cancelled.js';
import { limitOfProcess } from './limits.js';
import { findLockCycle, type LockCycle, ownersFrom } from './lock-cycles.js';
import { outerLimit } from './outer-limit.js';

/** What was found from the target on; `ends`: those that something may bring about. */
interface Found {
  exploration: Exploration;
  target: Task;
  ends: readonly End[];
}

/**
 * The target, or a process between it and the cycle, has an end of its own, as `timeout` has: a deadlock in another
 * process of its tree is a stuck part, not the state of the whole.
 */
function goesOnByItself(view: View, { exploration, target, ends }: Found, { tasks }: LockCycle): boolean {
  const inCycle = new Set(tasks.map(({ process }) => process.pid));
  const path = [...inCycle].flatMap((pid) => pathTo(exploration, pid));
  const before = new Set(
    [target.process.pid, ...path.map(({ pid }) => pid)].filter((pid) => !inCycle.has(pid)),
  );
  return ends.some((end) => before.has(end.waiter.process.pid) && isGoing(view, end));
}

/** It comes by itself, and is no fault. */
export function isGoing(view: View, end: End): boolean {
  return !isOnlyPossible(end.cause) && !stuckKinds.has(candidate(view, end).kind);
}

/**
 * The main thread of the target, or the thread that it joins, goes on: a deadlock of other threads is a finding beside
 * the verdict of the process.
 */
function mainGoesOn(view: View, { target, ends }: Found, cycle: LockCycle): boolean {
  const seen = ownersFrom(view, target);
  const main = seen.at(-1)?.thread.tid;
  if (seen.some(({ thread }) => cycle.tasks.some((task) => task.thread.tid === thread.tid))) return false;
  return ends.some((end) => end.waiter.thread.tid === main && isGoing(view, end));
}

/**
 * The cycle of locks that is the state of the whole tree; null: there is none, or the tree goes on beside it. `proof`: of
 * the closed set, where nothing else can be reached.
 */
export function cycleOfWhole(
  view: View,
  found: Found,
  proof: 'complete' | 'strong' | 'partial' | null,
): { cycle: LockCycle; first: Task; certainty: Certainty } | null {
  const cycle = findLockCycle(view);
  const first = cycle?.tasks[0];
  if (cycle === null || first === undefined) return null;
  const isOfTarget = proof !== null || first.process.pid === found.target.process.pid;
  if (isOfTarget ? mainGoesOn(view, found, cycle) : goesOnByItself(view, found, cycle)) return null;
  if (!isOfTarget && outerLimit(view, view.branch(first.process.pid), cycle.tasks, () => true) !== null)
    return null;
  const limit = limitOfProcess(view, cycle);
  if (limit === 'set') return null;
  // A thread that does not own a lock may release it: the cycle alone is strong evidence, in a closed set it is proof.
  if (proof === 'complete') return { cycle, first, certainty: 'certain' };
  const going = found.ends.filter((end) => isGoing(view, end));
  const isOpen = limit === 'possible' || joinMayEnd(view, cycle, going);
  return { cycle, first, certainty: isOpen ? 'medium' : 'high' };
}
