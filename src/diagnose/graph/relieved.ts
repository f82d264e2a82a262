import type { Judgement } from '../judge.js';
import { isOnlyPossible } from '../rules/index.js';
import { isAlarm } from './alarm.js';
import type { Cause } from './cause.js';
import { isDistant } from './doubt.js';
import { pathTo } from './explore.js';
import { relativesOf } from './goes-on.js';
import { closesSoon } from './left-open.js';

/** An alarm may end the process that reads, or a process on the way to it, and what waits for that process goes on. */
function hasAlarm({ exploration, task }: Judgement): boolean {
  const waiting = new Set(pathTo(exploration, task.process.pid).map(({ pid }) => pid));
  return exploration.ends.some(({ cause, waiter }) => isAlarm(cause) && waiting.has(waiter.process.pid));
}

/** A deadlock that an unseen process could end. */
function isDoubtful(cause: Cause): boolean {
  return cause.kind === 'knot' && cause.proof !== 'complete';
}

/**
 * Whether a process of the tree goes on and may end this wait: it may open the other end of a FIFO, send a signal, or
 * continue a stopped process. It may also end a deadlock that is not proven (a semaphore with a name, a signal
 * handler). It cannot answer a prompt of the outside, and cannot release a lock that it does not hold. An alarm ends
 * the process that reads, and a process that was left behind may end soon. Input of another machine may come at any time.
 */
export function isRelieved(judgement: Judgement): boolean {
  if (isDistant(judgement.cause)) return true;
  if (judgement.kind === 'needs-input' && hasAlarm(judgement)) return true;
  if (judgement.kind === 'lingering') return closesSoon(judgement.view, judgement);
  const { kind, cause, elsewhere, view, exploration, task } = judgement;
  const isStopped = kind === 'stopped';
  if (!isStopped && !isOnlyPossible(cause) && !isDoubtful(cause)) return false;
  return elsewhere !== null || (isStopped && relativesOf(view, exploration, task).length > 0);
}
