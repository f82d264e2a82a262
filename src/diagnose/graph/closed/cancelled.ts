import { isAbsent } from '../../../model/facts/absence.js';
import type { End } from '../explore.js';
import type { Task, View } from '../view.js';
import { ownerOf } from '../wakers/futex.js';
import type { LockCycle } from './lock-cycles.js';
import { catches } from './signals.js';

/** The signal with which glibc cancels a thread; a program that handles it has cancelled one, or has an older glibc. */
const SIGCANCEL = 32;

/** Another thread may cancel a thread of the cycle, which may wait for a lock at a moment when it allows that. */
export function cancelsThreads({ tasks }: LockCycle): boolean {
  return tasks.some(({ process }) => {
    const own = tasks.filter((task) => task.process === process).length;
    const living = process.threads.filter(({ state }) => state !== 'Z').length;
    return catches(process, SIGCANCEL) && living > own;
  });
}

function joins(view: View, { process, thread: { call, monitor } }: Task): boolean {
  if (monitor !== undefined || isAbsent(call) || call.at !== 'call' || call.futex === undefined) return false;
  const owner = ownerOf(view, process, call.futex);
  return owner !== null && 'via' in owner && owner.via === 'join';
}

/**
 * `pthread_join` ends when its thread is cancelled, and what that thread has prepared for this case may unlock its
 * mutexes. `going`: ends of threads that go on, and could cancel it.
 */
export function joinMayEnd(view: View, { tasks }: LockCycle, going: readonly End[]): boolean {
  if (!tasks.some((task) => joins(view, task))) return false;
  const isBeside = ({ waiter }: End): boolean =>
    tasks.some(({ process }) => process === waiter.process) &&
    !tasks.some(({ thread }) => thread === waiter.thread);
  return going.some(isBeside);
}
