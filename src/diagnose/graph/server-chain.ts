import { isAbsent } from '../../model/facts/absence.js';
import { callShapes } from '../../model/facts/calls.js';
import type { ProcessFacts } from '../../model/facts/snapshot.js';
import type { Task, View } from './view.js';
import { toProcesses, type Via, type Waker } from './waker.js';

const connections: ReadonlySet<Via> = new Set(['tcp', 'unix-socket']);

/** A process that is not in the tree, not of its run, and not one of its ancestors. */
function isForeign(view: View, process: ProcessFacts | undefined): boolean {
  if (process === undefined || view.hasMember(process.pid) || view.isAncestor(process.pid)) return false;
  const runId = view.target?.runId ?? null;
  return runId === null || process.runId !== runId;
}

/** Whether this edge leads into a server outside the tree: over a connection, or on from such a server. */
export function leadsIntoServer(view: View, pid: number, via: Via, served: boolean): boolean {
  return isForeign(view, view.process(pid)) && (served || connections.has(via));
}

/** A call that waits for children, not an event loop that also handles their end. */
function isBlockedInWait({ call }: Task['thread']): boolean {
  return !isAbsent(call) && call.at === 'call' && callShapes[call.name]?.waits === 'child';
}

/** What the members of a server share with their parent and with each other: death pipes, channels, memory. */
function isShared(view: View, { process, thread }: Task, pid: number, via: Via): boolean {
  const other = view.process(pid);
  if (pid === process.pid || other === undefined || !isForeign(view, other)) return false;
  if (via === 'child') return !isBlockedInWait(thread);
  return other.pid === process.parent || other.parent === process.parent || via === 'futex';
}

/** The waker without what is shared; null: it is the same. */
function unshared(view: View, task: Task, waker: Waker): Waker[] | null {
  if (waker.to === 'outside') return null;
  if (waker.to === 'thread') return isShared(view, task, waker.pid, waker.via) ? [] : null;
  const { pids, via, ...about } = waker;
  const own = pids.filter((pid) => !isShared(view, task, pid, via));
  return own.length === pids.length ? null : toProcesses(own, via, about);
}

/** None of several threads is known to work for this client: the timer of a thread is no evidence about its answer. */
function isHousekeeping({ process }: Task, waker: Waker): waker is Extract<Waker, { to: 'outside' }> {
  return waker.to === 'outside' && waker.cause.kind === 'timer' && process.threads.length > 1;
}

/**
 * The wakers of a thread of a server outside the tree. An object that all of its members share carries no wait: it
 * would lead into the sessions of other clients. It may end the wait all the same, so the set is not closed.
 */
export function withinServer(view: View, task: Task, wakers: Waker[]): Waker[] {
  const parts = wakers.map((waker) => unshared(view, task, waker));
  const own = wakers
    .flatMap((waker, index) => parts[index] ?? [waker])
    .map((waker) => (isHousekeeping(task, waker) ? { ...waker, strength: 'optional' as const } : waker));
  if (parts.every((part) => part === null)) return own;
  return [
    ...own,
    { to: 'outside', cause: { kind: 'unknown', what: 'the rest of its server' }, strength: 'optional' },
  ];
}
