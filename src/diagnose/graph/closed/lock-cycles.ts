import { isAbsent } from '../../../model/facts/absence.js';
import type { ProcessFacts, ThreadFacts } from '../../../model/facts/snapshot.js';
import type { Cause } from '../cause.js';
import type { Task, View } from '../view.js';
import { ownerOf } from '../wakers/futex.js';

type Next = { task: Task } | { gone: number } | null;

export type LockCycle = Extract<Cause, { kind: 'lock-cycle' }>;

/**
 * Follows threads over the owners of what they wait for. A thread waits for at most one other thread, so each is
 * followed once.
 */
class OwnerChains {
  readonly #view: View;
  readonly #byTid = new Map<ProcessFacts, Map<number, ThreadFacts>>();
  readonly #ends = new Map<ThreadFacts, LockCycle | null>();

  constructor(view: View) {
    this.#view = view;
  }

  /** The cycle, or the owner that is gone, that a thread leads into; null: its chain has an open end. */
  cycleFrom(from: Task): LockCycle | null {
    const path = new Map<ThreadFacts, Task>();
    const end = this.#follow(from, path);
    for (const thread of path.keys()) this.#ends.set(thread, end);
    return end;
  }

  #follow(from: Task, path: Map<ThreadFacts, Task>): LockCycle | null {
    let next: Next = { task: from };
    while (next !== null && 'task' in next) {
      const { task } = next as { task: Task };
      const known = this.#ends.get(task.thread);
      if (known !== undefined) return known;
      const first = path.get(task.thread);
      if (first !== undefined) {
        const links = [...path.values()];
        return { kind: 'lock-cycle', tasks: links.slice(links.indexOf(first)), goneOwner: null };
      }
      path.set(task.thread, task);
      next = this.soleWaker(task);
    }
    return next === null ? null : { kind: 'lock-cycle', tasks: [...path.values()], goneOwner: next.gone };
  }

  /** The only thread that can wake this thread, where memory proves that there is only one. */
  soleWaker({ process, thread }: Task): Next {
    const { call, monitor } = thread;
    if (monitor?.interruptible === true) return null;
    if (monitor?.ended === true) return { gone: monitor.owner };
    if (monitor !== undefined) return this.#taskAt(process.pid, monitor.owner);
    // Unless it stood still through both passes, owner and waiter were read at different moments.
    if (thread.moved !== false || isAbsent(call) || call.at !== 'call' || call.futex === undefined)
      return null;
    if (call.timeout === undefined || isAbsent(call.timeout) || call.timeout.ms !== null) return null;
    const owner = ownerOf(this.#view, process, call.futex);
    if (owner === null) return null;
    return 'gone' in owner ? { gone: owner.gone } : this.#taskAt(owner.pid, owner.tid);
  }

  #taskAt(pid: number, tid: number): Next {
    const process = this.#view.process(pid);
    if (process === undefined) return null;
    const threads =
      this.#byTid.get(process) ?? new Map(process.threads.map((thread) => [thread.tid, thread]));
    this.#byTid.set(process, threads);
    const thread = threads.get(tid);
    return thread === undefined ? null : { task: { process, thread } };
  }
}

/** The thread itself, the owner of what it waits for, the owner of what that owner waits for, and so on; each once. */
export function ownersFrom(view: View, from: Task): Task[] {
  const chains = new OwnerChains(view);
  const seen = new Map<ThreadFacts, Task>();
  let next: Next = { task: from };
  while (next !== null && 'task' in next && !seen.has(next.task.thread)) {
    const { task } = next as { task: Task };
    seen.set(task.thread, task);
    next = chains.soleWaker(task);
  }
  return [...seen.values()];
}

/** Each thread of the tree that leads into a cycle of locks, with that cycle. */
function* cyclesOf(view: View): Generator<{ from: Task; cycle: LockCycle }> {
  const chains = new OwnerChains(view);
  for (const process of view.snapshot.processes) {
    // Its threads were not all read: an owner that seems to be gone may be a new thread.
    if (!view.hasMember(process.pid) || process.changed !== null) continue;
    for (const thread of process.threads) {
      const from = { process, thread };
      const cycle = chains.cycleFrom(from);
      if (cycle !== null) yield { from, cycle };
    }
  }
}

/** The first cycle in the tree. */
export function findLockCycle(view: View): LockCycle | null {
  for (const { cycle } of cyclesOf(view)) return cycle;
  return null;
}

/** A cycle, with the threads that wait for a lock of one of its members, or for such a thread. */
export interface CycleWithWaiters {
  cycle: LockCycle;
  waiters: Task[];
}

export function allLockCycles(view: View): CycleWithWaiters[] {
  const found = new Map<LockCycle, { waiters: Task[]; members: ReadonlySet<ThreadFacts> }>();
  for (const { from, cycle } of cyclesOf(view)) {
    const known = found.get(cycle) ?? {
      waiters: [],
      members: new Set(cycle.tasks.map(({ thread }) => thread)),
    };
    found.set(cycle, known);
    if (!known.members.has(from.thread)) known.waiters.push(from);
  }
  return [...found].map(([cycle, { waiters }]) => ({ cycle, waiters }));
}
