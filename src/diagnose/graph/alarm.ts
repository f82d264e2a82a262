import { ticksPerSecond } from '../../model/facts/sample.js';
import type { AlarmFacts, ProcessFacts } from '../../model/facts/snapshot.js';
import type { Cause } from './cause.js';
import { handlesAlarm, isDeafTo, SIGALRM } from './closed/signals.js';
import type { Task, View } from './view.js';
import type { Waker } from './waker.js';

const second = 1000;

/** The clocks of two CPUs differ by a little. */
const clockErrorMs = 5;

/** Longer alarms are ignored: no user waits longer than a day. */
const leftMsMax = 24 * 3600 * second;

// The leader may be dead while its other threads go on.
const isAlive = ({ threads }: ProcessFacts): boolean => threads.some(({ state }) => !/[ZX]/.test(state));

/**
 * An alarm (setitimer) survives exec and need not be caught: then it ends its process, and what waits for that process,
 * or reads from it, goes on. Nothing shows which process has one. If a single process has all waiting threads, its end
 * wakes none of them. `beside`: processes outside of the tree that an alarm could end as well.
 */
export function alarmMayOpen(view: View, beside: Iterable<number>): boolean {
  if (view.snapshot.alarms === false) return false;
  const near = new Set(beside);
  const isConcerned = (process: ProcessFacts): boolean => view.isOfTree(process) || near.has(process.pid);
  const living = view.snapshot.processes.filter(
    (process) => isConcerned(process) && process.pid !== view.snapshot.reader.pid && isAlive(process),
  );
  return living.length > 1 && living.some((process) => !isDeafTo(process, SIGALRM));
}

/** How long ago a process was last on a CPU; 0: possibly just now. */
export function restedMs({ threads }: ProcessFacts): number {
  return Math.min(...threads.map(({ offCpuMs, moved }) => (moved === false ? (offCpuMs ?? 0) : 0)));
}

/** Whether an alarm may belong to a process: it was set between its start and its last moment on a CPU. */
export function mayBeAlarmOf(process: ProcessFacts, alarm: AlarmFacts): boolean {
  const { leftMs, endsMs, youngerThanMs, olderThanMs = 0 } = alarm;
  if (leftMs > leftMsMax || (youngerThanMs !== null && restedMs(process) > youngerThanMs + clockErrorMs))
    return false;
  // A child does not inherit the alarm of its parent.
  return bornMsOf(process) <= endsMs - leftMs - olderThanMs;
}

const bornMsOf = ({ startTicks }: ProcessFacts): number =>
  (startTicks / ticksPerSecond) * second - clockErrorMs;

/**
 * Whether a process may have set an alarm for whole seconds, as all do except for alarms that are over before silence
 * matters. Few alarms of other processes fit into the moment that most programs run before they wait.
 */
function mayHaveSet(process: ProcessFacts, alarm: AlarmFacts): boolean {
  if (!mayBeAlarmOf(process, alarm)) return false;
  const { leftMs, endsMs } = alarm;
  const lastMs = endsMs - leftMs - restedMs(process) + clockErrorMs;
  // The longest whole number of seconds since its start that the alarm can have been set for.
  const longest = Math.floor((endsMs - bornMsOf(process)) / second) * second;
  return longest > 0 && endsMs - longest <= lastMs;
}

/** A timer that only the machine's list of alarms shows. */
export function isAlarm(cause: Cause): boolean {
  return cause.kind === 'timer' && cause.supposed && cause.leftMs !== null;
}

/**
 * The alarm that may end a process of several, so that what waits for the process goes on. If the program handles it, it
 * goes on itself.
 */
export function alarmWakers(view: View, { process, thread }: Task): Waker[] {
  const { alarmTimers = [], processes, targetPid } = view.snapshot;
  if (alarmTimers.length === 0 || thread.tid !== process.pid || isDeafTo(process, SIGALRM)) return [];
  // The end of the topmost process is the end of the whole tree.
  const isBelow = process.pid !== targetPid && view.isOfTree(process);
  const isOneOfSeveral = isBelow && processes.filter((other) => other.inTree && isAlive(other)).length > 1;
  if (!isOneOfSeveral && !handlesAlarm(process)) return [];
  const [next] = alarmTimers
    .filter((alarm) => mayHaveSet(process, alarm))
    .sort((a, b) => a.leftMs - b.leftMs);
  if (next === undefined) return [];
  const { leftMs } = next;
  return [
    { to: 'outside', cause: { kind: 'timer', leftMs, exact: false, supposed: true }, strength: 'plain' },
  ];
}
