import { isOfPython } from '../../../model/facts/monitors.js';
import type { ProcessFacts } from '../../../model/facts/snapshot.js';
import { alarmWakers, mayBeAlarmOf } from '../alarm.js';
import type { Task, View } from '../view.js';
import { type LockCycle, ownersFrom } from './lock-cycles.js';
import { catches, handlesAlarm, SIGALRM } from './signals.js';

/** What may end a cycle of locks from outside: a timer that is set, one that may be set, or nothing that is known. */
export type Limit = 'set' | 'possible' | null;

const stronger = (one: Limit, other: Limit): Limit =>
  one === 'set' || other === 'set' ? 'set' : (one ?? other);

/**
 * Python runs the handler of a signal in its main thread, also while that waits for a lock of Python, and what the
 * handler raises ends the wait. In C the thread goes back to its lock.
 */
function raisesIn(view: View, task: Task): Limit {
  const { process, thread } = task;
  const isMain = thread.tid === process.pid && process.runtime === 'python';
  if (!isMain || !isOfPython(thread.monitor?.type) || !catches(process, SIGALRM)) return null;
  const { alarms, alarmTimers } = view.snapshot;
  if (alarms === false) return null;
  // A normal user cannot read the list: a handler among few is believed to belong to an alarm (decision 4).
  if (alarms === null) return handlesAlarm(process) ? 'set' : 'possible';
  if (alarmWakers(view, task).length > 0) return 'set';
  return alarmTimers?.every((alarm) => !mayBeAlarmOf(process, alarm)) ? null : 'possible';
}

/** A timer of its own ends the process, so that what waits for it goes on. With the target all is over. */
function isEnded(view: View, process: ProcessFacts): boolean {
  const isBelow = process.pid !== view.snapshot.targetPid && view.isOfTree(process);
  return isBelow && (process.endingTimers ?? 0) > 0;
}

/** What may let the threads of a cycle go on. */
export function limitOf(view: View, { tasks }: LockCycle): Limit {
  if (tasks.some(({ process }) => isEnded(view, process))) return 'set';
  return tasks.map((task) => raisesIn(view, task)).reduce(stronger, null);
}

/** What may let a process go on whose main thread is in a cycle, or waits for it. */
export function limitOfProcess(view: View, cycle: LockCycle): Limit {
  const limit = limitOf(view, cycle);
  const { process } = cycle.tasks[0] as Task;
  const [thread] = process.threads;
  if (thread === undefined || thread.monitor === undefined) return limit;
  const main = { process, thread };
  const leads = ownersFrom(view, main).some((seen) =>
    cycle.tasks.some((task) => task.thread.tid === seen.thread.tid),
  );
  return leads ? stronger(limit, raisesIn(view, main)) : limit;
}
