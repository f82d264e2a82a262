import { isAbsent } from '../../model/facts/absence.js';
import { isTestThread } from '../stacks/running-test.js';
import type { Task } from './view.js';

/** Threads that the Java virtual machine keeps for itself, by the first 15 characters of their names. */
const javaOwn =
  /^(VM |GC |G1 |C[12] Comp|Sweeper|Notification Th|Common-Cleaner|Reference Handl|Finalizer|Signal Dispatch|Service Thread|Monitor Deflati|Attach Listener|StringDedup|Shenandoah|[XZ](GC|Director|Driver|Stat|Uncommit|Unmap|Worker)|RuntimeWorker#|Concurrent Mark)/;

const minuteMs = 60_000;

/**
 * The first thread of a Rust test program only waits for the results of the others: its minute ends with a line about a slow
 * test, and the wait begins again.
 */
function isTestCollector({ process, thread }: Task): boolean {
  const { call } = thread;
  const isFutex = !isAbsent(call) && call.at === 'call' && call.name === 'futex';
  const timeout = isFutex ? call.timeout : undefined;
  if (timeout === undefined || isAbsent(timeout) || timeout.ms === null || timeout.ms > minuteMs)
    return false;
  return process.threads.some((other) => isTestThread(process, other));
}

/** Go's monitor thread: asleep for at most a minute in its own futex, or for microseconds. */
function isGoMonitor({ thread }: Task): boolean {
  const { call } = thread;
  if (isAbsent(call) || call.at !== 'call' || call.timeout === undefined || isAbsent(call.timeout))
    return false;
  const { ms, absolute } = call.timeout;
  const own = call.name === 'futex' || call.name === 'nanosleep';
  return own && !absolute && ms !== null && ms <= minuteMs;
}

/** The Finalizer and similar threads also run code of the program, and may be in one of its monitors. */
function isWaitedFor({ process, thread }: Task): boolean {
  return process.threads.some(({ monitor }) => monitor?.owner === thread.tid);
}

/** A thread that works for the language runtime: its timers are no evidence about the program. */
export function isHousekeeping(task: Task): boolean {
  const { runtime, pid } = task.process;
  if (task.thread.tid === pid) return isTestCollector(task);
  if (runtime === 'java') return javaOwn.test(task.thread.name) && !isWaitedFor(task);
  // The first thread Node starts serves the engine's delayed tasks (garbage collection and the like).
  if (runtime === 'node') return task.process.threads[1]?.tid === task.thread.tid;
  return runtime === 'go' && isGoMonitor(task);
}
