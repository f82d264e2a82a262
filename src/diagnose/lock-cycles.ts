import { isAbsent } from '../model/absence.js';
import type { ProcessFacts, ThreadFacts } from '../model/snapshot.js';
import type { Cause } from './cause.js';
import type { Task, View } from './view.js';
import { ownerOf } from './wakers/futex.js';

type Next = { task: Task } | { gone: number } | null;

/** The one thread that can wake this one, where memory proves that there is only one. */
function soleWaker(view: View, { process, thread }: Task, tasks: ThreadIndex): Next {
  const { call, monitor } = thread;
  if (monitor !== undefined) return tasks.at(process.pid, monitor.owner);
  // Unless it stood still through both collects, owner and waiter were read at different moments.
  if (thread.moved !== false || isAbsent(call) || call.at !== 'call' || call.futex === undefined) return null;
  if (call.timeout === undefined || isAbsent(call.timeout) || call.timeout.ms !== null) return null;
  const owner = ownerOf(view, process, call.futex);
  if (owner === null) return null;
  if ('gone' in owner) return { gone: owner.gone };
  return tasks.at(owner.pid, owner.tid);
}

class ThreadIndex {
  readonly #view: View;
  readonly #byTid = new Map<ProcessFacts, Map<number, ThreadFacts>>();

  constructor(view: View) {
    this.#view = view;
  }

  at(pid: number, tid: number): Next {
    const process = this.#view.process(pid);
    if (process === undefined) return null;
    const threads =
      this.#byTid.get(process) ?? new Map(process.threads.map((thread) => [thread.tid, thread]));
    this.#byTid.set(process, threads);
    const thread = threads.get(tid);
    return thread === undefined ? null : { task: { process, thread } };
  }
}

/**
 * Circles of threads each waiting for a lock the next one owns, anywhere in the tree. A thread waits for one other at most,
 * so what was followed once without a circle is not followed again: a chain may have as many links as there are threads.
 */
export function findLockCycle(view: View): Extract<Cause, { kind: 'lock-cycle' }> | null {
  const followed = new Set<ThreadFacts>();
  const tasks = new ThreadIndex(view);
  for (const process of view.snapshot.processes) {
    // Its threads were not all read: an owner that seems to be gone may have come.
    if (!view.hasMember(process.pid) || process.changed !== null) continue;
    for (const thread of process.threads) {
      const path = new Map<ThreadFacts, Task>();
      let next: Next = { task: { process, thread } };
      while (next !== null && 'task' in next && !followed.has(next.task.thread)) {
        const { task } = next as { task: Task };
        followed.add(task.thread);
        path.set(task.thread, task);
        next = soleWaker(view, task, tasks);
      }
      if (next === null) continue;
      const links = [...path.values()];
      if ('gone' in next) return { kind: 'lock-cycle', tasks: links, goneOwner: next.gone };
      const first = path.get(next.task.thread);
      if (first !== undefined)
        return { kind: 'lock-cycle', tasks: links.slice(links.indexOf(first)), goneOwner: null };
    }
  }
  return null;
}
