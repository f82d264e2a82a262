import { isAbsent } from '../../../model/facts/absence.js';
import {
  endlessReasons,
  type GoroutineFacts,
  type GoroutineWait,
  runtimeReasons,
  sharedReasons,
} from '../../../model/facts/goroutines.js';
import type { ProcessFacts } from '../../../model/facts/snapshot.js';
import type { Cause } from '../cause.js';
import { isHousekeeping } from '../housekeeping.js';

/** What the parked goroutines of the program itself wait for. */
export function programWaits({ waits }: GoroutineFacts): GoroutineWait[] {
  return waits.filter(({ reason }) => !runtimeReasons.has(reason));
}

/** Every goroutine of the program waits for another goroutine, or for nothing; goroutines in calls are not checked. */
export function areParked(goroutines: GoroutineFacts): boolean {
  const waits = programWaits(goroutines);
  const parked = waits.every(({ reason }) => sharedReasons.has(reason) || endlessReasons.has(reason));
  return goroutines.running === 0 && waits.length > 0 && parked;
}

/**
 * All goroutines are of one moment, and all were read. Every Go program has a monitor thread, which naps: if only one
 * thread naps, it is the monitor thread; a second may be a thread of C that will call back.
 */
function isWhole(process: ProcessFacts, { unread }: GoroutineFacts): boolean {
  const still = process.threads.every(({ moved }) => moved === false);
  const napping = process.threads.filter((thread) => isHousekeeping({ process, thread }));
  return unread === 0 && still && napping.length === 1;
}

function unclear(): Cause {
  return { kind: 'unknown', what: 'its goroutines, all parked: deadlocked, or waiting for a signal' };
}

type Knot = Extract<Cause, { kind: 'knot' }>;

/**
 * Threads of a Go program that wait for ever are not enough: the runtime parks idle threads in the same way. Its own
 * list of goroutines decides.
 */
export function goroutinesOr(knot: Knot): Cause {
  const process = knot.tasks.find((task) => task.process.runtime === 'go')?.process;
  if (process === undefined) return knot;
  const { goroutines } = process;
  const proven = knot.proof !== 'partial' && knot.tasks.every((task) => task.process === process);
  if (!proven || goroutines === undefined || isAbsent(goroutines) || !isWhole(process, goroutines))
    return unclear();
  if (!areParked(goroutines)) return unclear();
  // os/signal keeps one goroutine in a call for this; the goroutine that it would wake is not known.
  if (goroutines.inCalls === 1 && goroutines.signals !== null) return { kind: 'signal', explicit: true };
  if (goroutines.inCalls > 0) return unclear();
  const waits = programWaits(goroutines);
  return {
    kind: 'goroutines',
    tasks: knot.tasks,
    waits,
    forNothing: waits.every(({ reason }) => endlessReasons.has(reason)),
  };
}
