import { isAbsent } from '../../model/facts/absence.js';
import { callShapes } from '../../model/facts/calls.js';
import type { ProcessFacts } from '../../model/facts/snapshot.js';
import type { Task, View } from './view.js';
import type { Via, Waker } from './waker.js';

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
function isShared(view: View, { process, thread }: Task, waker: Waker): boolean {
  if (waker.to === 'outside' || waker.pid === process.pid) return false;
  const other = view.process(waker.pid);
  if (other === undefined || !isForeign(view, other)) return false;
  if (waker.via === 'child') return !isBlockedInWait(thread);
  return other.pid === process.parent || other.parent === process.parent || waker.via === 'futex';
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
  const own = wakers
    .filter((waker) => !isShared(view, task, waker))
    .map((waker) => (isHousekeeping(task, waker) ? { ...waker, strength: 'optional' as const } : waker));
  if (own.length === wakers.length) return own;
  return [
    ...own,
    { to: 'outside', cause: { kind: 'unknown', what: 'the rest of its server' }, strength: 'optional' },
  ];
}
