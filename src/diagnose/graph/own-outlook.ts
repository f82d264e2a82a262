import type { Wait } from './awaited.js';
import type { Cause } from './cause.js';
import type { Outlook } from './thread-outlook.js';
import type { Task, View } from './view.js';
import { toProcesses, type Waker } from './waker.js';
import { wakersOf } from './wakers/index.js';

/** Limit of runs inside of runs. */
const supervisorsMax = 16;

/** Commands that wait for a background run and do nothing else. */
const clientCommand = /(?:^|[ /])(?:cli\.cjs|unstuck) (?:attach|wait|log) /;

/** States that stop an Unstuck process as they stop any other. */
const halted: ReadonlySet<Cause['kind']> = new Set(['changing', 'zombie', 'stopped', 'frozen']);

/** A supervisor above the target waits for the process that feeds its standard input; its other waits do not matter. */
export function relayOutlook(view: View, task: Task): Outlook {
  const file = view.file(task.process, 0);
  const on: Wait['on'] = file === undefined ? [] : [{ what: 'file', file, purpose: 'read' }];
  const wait: Wait = { call: 'read', source: 'call', form: 'single', on, timeout: null, complete: true };
  return { task, state: null, wait, wakers: on.flatMap((awaited) => wakersOf(view, task, awaited)) };
}

/**
 * The outlook of an Unstuck process inside the tree: a supervisor waits for its command, a client for its run. Their
 * timers are housekeeping, but they may have a time limit, too, so the wait is not fully known. null: it is not an
 * Unstuck process.
 */
export function ownOutlook(view: View, task: Task, state: Cause | null): Outlook | null {
  if (state !== null && halted.has(state.kind)) return null;
  const { pid, attends } = task.process;
  const isClient = attends !== undefined && clientCommand.test(task.process.command);
  if (!view.isSupervisor(pid) && !(isClient && view.process(attends) !== undefined)) return null;
  const wait: Wait = {
    call: 'wait4',
    source: 'call',
    form: 'single',
    on: [],
    timeout: null,
    complete: false,
  };
  const wakers: Waker[] = isClient
    ? toProcesses([attends], 'run')
    : wakersOf(view, task, { what: 'children', pids: 'any' });
  return { task, state: null, wait, wakers };
}

/** The input that a supervisor inside the tree passes to its command comes from its own standard input. */
export function throughSupervisors(view: View, wakers: Waker[], depth = 0): Waker[] {
  if (!wakers.some((waker) => waker.to === 'processes' && waker.input !== undefined)) return wakers;
  return wakers.flatMap((waker) => {
    if (waker.to !== 'processes' || waker.input === undefined) return [waker];
    const { pids, via, input } = waker;
    if (depth === supervisorsMax || !pids.some((pid) => view.isFeeder(pid))) return [waker];
    return pids.flatMap((pid) => {
      const own = view.isFeeder(pid) ? ownInput(view, pid) : null;
      return own === null ? toProcesses([pid], via, { input }) : throughSupervisors(view, own, depth + 1);
    });
  });
}

/** What brings the standard input of a process; null: it has none. */
function ownInput(view: View, pid: number): Waker[] | null {
  const process = view.process(pid);
  const file = process === undefined ? undefined : view.file(process, 0);
  const [thread] = process?.threads ?? [];
  if (process === undefined || file === undefined || thread === undefined) return null;
  return wakersOf(view, { process, thread }, { what: 'file', file, purpose: 'read' });
}
