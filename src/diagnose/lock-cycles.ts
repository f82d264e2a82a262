import { isAbsent } from '../model/absence.js';
import type { Cause } from './cause.js';
import type { Task, View } from './view.js';
import { ownerOf } from './wakers/futex.js';

type Next = { task: Task } | { gone: number } | null;

/** The one thread that can wake this one, where memory proves that there is only one. */
function soleWaker(view: View, { process, thread }: Task): Next {
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

/** Circles of threads each waiting for a lock the next one owns, anywhere in the tree. */
export function findLockCycle(view: View): Extract<Cause, { kind: 'lock-cycle' }> | null {
  for (const process of view.snapshot.processes) {
    // Its threads were not all read: an owner that seems to be gone may have come.
    if (!view.hasMember(process.pid) || process.changed !== null) continue;
    for (const thread of process.threads) {
      const seen: Task[] = [];
      let next: Next = { task: { process, thread } };
      while (next !== null && 'task' in next) {
        const { task } = next as { task: Task };
        const at = seen.findIndex((earlier) => earlier.thread.tid === task.thread.tid);
        if (at >= 0) return { kind: 'lock-cycle', tasks: seen.slice(at), goneOwner: null };
        seen.push(task);
        next = soleWaker(view, task);
      }
      if (next !== null) return { kind: 'lock-cycle', tasks: seen, goneOwner: next.gone };
    }
  }
  return null;
}
