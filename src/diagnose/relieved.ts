import { stuckKinds } from '../model/verdict.js';
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

/**
 * Whether a process of the tree goes on and may end this wait: it may open the other end of a FIFO, send a signal, or
 * continue what is stopped. It cannot answer a prompt of the outside, nor release a lock that it does not hold.
 */
export function isRelieved(judgement: Judgement): boolean {
  const isStopped = judgement.kind === 'stopped';
  if (!isStopped && !isOnlyPossible(judgement.cause)) return false;
  return judgement.elsewhere !== null || (isStopped && hasRelative(judgement));
}
