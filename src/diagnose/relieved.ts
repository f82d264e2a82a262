import { stuckKinds } from '../model/verdict.js';
import type { Cause } from './cause.js';
import { type End, pathTo } from './explore.js';
import type { Judgement } from './judge.js';
import { isOnlyPossible, ruleFor } from './rules/index.js';
import type { View } from './view.js';

function goesOn(view: View, { cause, strength, task, beyond }: End): boolean {
  if (beyond || strength === 'derived' || isOnlyPossible(cause) || !view.hasMember(task.process.pid))
    return false;
  return !stuckKinds.has(ruleFor(cause, task, view).verdict);
}

/** A process of the tree that goes on, and does not itself wait for the one that is stopped. */
function hasRelative({ view, exploration, task }: Judgement): boolean {
  const waiting = new Set(pathTo(exploration, task.process.pid).map(({ pid }) => pid));
  return exploration.ends.some((end) => !waiting.has(end.task.process.pid) && goesOn(view, end));
}

/** A deadlock that something out of sight could end. */
function isDoubtful(cause: Cause): boolean {
  return cause.kind === 'knot' && cause.proof !== 'complete';
}

/**
 * Whether a process of the tree goes on and may end this wait: it may open the other end of a FIFO, send a signal, or
 * continue what is stopped. A deadlock that is not proven (a semaphore with a name, a signal handler) it may end as well.
 * It cannot answer a prompt of the outside, nor release a lock that it does not hold.
 */
export function isRelieved(judgement: Judgement): boolean {
  const { kind, cause, elsewhere } = judgement;
  const isStopped = kind === 'stopped';
  if (!isStopped && !isOnlyPossible(cause) && !isDoubtful(cause)) return false;
  return elsewhere !== null || (isStopped && hasRelative(judgement));
}
