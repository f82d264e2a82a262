import { isAbsent } from '../model/absence.js';
import type { Cause } from './cause.js';
import type { Task, View } from './view.js';
import { ownerOf } from './wakers/futex.js';

type Next = { task: Task } | { gone: number } | null;

export type LockCycle = Extract<Cause, { kind: 'lock-cycle' }>;

/** The one thread that can wake this one, where memory proves that there is only one. */
export function soleWaker(view: View, { process, thread }: Task): Next {
  const { call, monitor } = thread;
  if (monitor !== undefined) return taskAt(view, process.pid, monitor.owner);
  // Unless it stood still through both collects, owner and waiter were read at different moments.
  if (thread.moved !== false || isAbsent(call) || call.at !== 'call' || call.futex === undefined) return null;
  if (call.timeout === undefined || isAbsent(call.timeout) || call.timeout.ms !== null) return null;
  const owner = ownerOf(view, process, call.futex);
  if (owner === null) return null;
  if ('gone' in owner) return { gone: owner.gone };
  return taskAt(view, owner.pid, owner.tid);
}

function taskAt(view: View, pid: number, tid: number): Next {
  const process = view.process(pid);
  const thread = process?.threads.find((other) => other.tid === tid);
  return process === undefined || thread === undefined ? null : { task: { process, thread } };
}

/** From a thread over the owners of what each waits for, up to a cycle, an owner that is gone, or an open end. */
export function followOwners(view: View, from: Task): { seen: Task[]; cycle: LockCycle | null } {
  const seen: Task[] = [];
  let next: Next = { task: from };
  while (next !== null && 'task' in next) {
    const { task } = next as { task: Task };
    const at = seen.findIndex((earlier) => earlier.thread.tid === task.thread.tid);
    if (at >= 0) return { seen, cycle: { kind: 'lock-cycle', tasks: seen.slice(at), goneOwner: null } };
    seen.push(task);
    next = soleWaker(view, task);
  }
  return { seen, cycle: next === null ? null : { kind: 'lock-cycle', tasks: seen, goneOwner: next.gone } };
}

/** Cycles of threads each waiting for a lock the next one owns, anywhere in the tree; one for each thread that leads into one. */
function* cyclesOf(view: View): Generator<{ from: Task; cycle: LockCycle }> {
  for (const process of view.snapshot.processes) {
    // Its threads were not all read: an owner that seems to be gone may have come.
    if (!view.hasMember(process.pid) || process.changed !== null) continue;
    for (const thread of process.threads) {
      const from = { process, thread };
      const { cycle } = followOwners(view, from);
      if (cycle !== null) yield { from, cycle };
    }
  }
}

/** The first cycle in the tree. */
export function findLockCycle(view: View): LockCycle | null {
  for (const { cycle } of cyclesOf(view)) return cycle;
  return null;
}

/** A cycle with the threads that wait for a lock of one of its members, or for such a thread. */
export interface CycleWithWaiters {
  cycle: LockCycle;
  waiters: Task[];
}

export function allLockCycles(view: View): CycleWithWaiters[] {
  const found = new Map<number, CycleWithWaiters>();
  for (const { from, cycle } of cyclesOf(view)) {
    const { tasks, goneOwner } = cycle;
    const key = goneOwner ?? Math.min(...tasks.map(({ thread }) => thread.tid));
    const known = found.get(key) ?? { cycle, waiters: [] };
    found.set(key, known);
    if (!known.cycle.tasks.some(({ thread }) => thread.tid === from.thread.tid)) known.waiters.push(from);
  }
  return [...found.values()];
}
