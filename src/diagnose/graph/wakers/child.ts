import type { ProcessFacts } from '../../../model/facts/snapshot.js';
import type { Cause } from '../cause.js';
import { catches, SIGCHLD } from '../closed/signals.js';
import type { Task, View } from '../view.js';
import { toProcesses, type Waker } from '../waker.js';

const isLiving = (state: string): boolean => state !== 'Z' && state !== 'X';

/** Any thread of a process may trace. */
function traces({ pid, threads }: ProcessFacts, { tracer }: ProcessFacts): boolean {
  return tracer !== 0 && (tracer === pid || threads.some(({ tid }) => tid === tracer));
}

/** A tracer is told of the ends and stops of the processes that it traces, as of its children. */
function traceesOf(view: View, process: ProcessFacts): number[] {
  return view.tracees.filter((other) => traces(process, other)).map(({ pid }) => pid);
}

function livingChildren(view: View, { process }: Task): number[] {
  const all = new Set([...view.childrenOf(process.pid), ...traceesOf(view, process)]);
  return [...all].filter((pid) => {
    const { state, threads } = view.process(pid) ?? { state: 'X', threads: [] };
    return pid !== process.pid && (isLiving(state) || threads.some((thread) => isLiving(thread.state)));
  });
}

/** A child that ends wakes its parent. */
export function childWakers(view: View, task: Task, pids: number[] | 'any'): Waker[] {
  const living = livingChildren(view, task);
  const named = pids === 'any' ? living : pids.map((pid) => view.pidInNamespaceOf(task.process, pid));
  const followed = named.filter((pid) => view.process(pid) !== undefined);
  if (followed.length > 0) return toProcesses(followed, 'child');
  // Either it ended just now, which its parent has noticed, or it is hidden from this user (hidepid).
  const cause: Cause =
    task.thread.moved === true
      ? { kind: 'changing', change: 'child-ended' }
      : { kind: 'unknown', what: 'a child that cannot be seen' };
  return [{ to: 'outside', cause, strength: 'plain' }];
}

export function livingChildWakers(view: View, task: Task): Waker[] {
  return toProcesses(livingChildren(view, task), 'child');
}

/**
 * An event loop or sigsuspend that handles SIGCHLD waits for its children too, without a call that shows it. A debugger
 * does not wait for the child that it holds itself.
 */
export function signalledByChildren(view: View, task: Task): Waker[] {
  if (!catches(task.process, SIGCHLD)) return [];
  const awaited = livingChildren(view, task).filter((pid) => {
    const child = view.process(pid);
    return child === undefined || !traces(task.process, child) || child.state !== 't';
  });
  return toProcesses(awaited, 'child');
}
