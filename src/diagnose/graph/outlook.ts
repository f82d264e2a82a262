import { isAbsent } from '../../model/facts/absence.js';
import type { FdFacts, ThreadFacts } from '../../model/facts/snapshot.js';
import { detectCause, isOnlyPossible } from '../rules/index.js';
import { alarmWakers } from './alarm.js';
import type { Wait } from './awaited.js';
import type { Cause } from './cause.js';
import { awaitedSignals, mayHaveAlarm } from './closed/signals.js';
import { ownOutlook, relayOutlook, throughSupervisors } from './own-outlook.js';
import type { Outlook } from './thread-outlook.js';
import type { Task, View } from './view.js';
import { waitOf } from './wait.js';
import { toProcesses, type Waker } from './waker.js';
import { signalledByChildren } from './wakers/child.js';
import { wakersOf } from './wakers/index.js';

/** A longer timeout counts as none: `sleep infinity` is written as billions of years. */
const foreverMs = 10 * 365 * 24 * 3600 * 1000;

/** A second, and what the clock of a capture that was read slowly is off. */
const javaRecheckMs = 1500;

/** Other causes in an event loop that make the terminal only one of several things listened to. */
const busyCompany: ReadonlySet<Cause['kind']> = new Set([
  'listening',
  'connection',
  'connecting',
  'datagram',
  'local-peer',
  'other-end',
]);

function isIdle(waker: Waker): boolean {
  if (waker.to === 'outside') return 'idle' in waker.cause && waker.cause.idle;
  return waker.to === 'processes' && waker.idle === true;
}

const isInputEdge = (waker: Waker): boolean => waker.to === 'processes' && waker.input !== undefined;

const leadsBeyond = (pids: readonly number[], { process }: Task): boolean =>
  pids.some((pid) => pid !== process.pid);

function isCompany(waker: Waker, task: Task): boolean {
  if (isIdle(waker) || isInputEdge(waker)) return false;
  if (waker.to === 'outside') return busyCompany.has(waker.cause.kind);
  return leadsBeyond(waker.to === 'processes' ? waker.pids : [waker.pid], task);
}

/** A connection that is only kept open is no evidence beside a child that runs or a prompt that is open. */
function demoteIdle(wakers: Waker[]): Waker[] {
  const child = wakers.some((waker) => waker.to !== 'outside' && waker.via === 'child');
  const prompt = wakers.some(
    (waker) => waker.to === 'outside' && (waker.cause.kind === 'terminal' || waker.cause.kind === 'stdin'),
  );
  if (!child && !prompt) return wakers;
  return wakers.map((waker) =>
    waker.to === 'outside' && isIdle(waker) ? { ...waker, strength: 'optional' } : waker,
  );
}

/** A terminal in key-by-key mode expects typed input. */
function isInput(waker: Waker, company: boolean): boolean {
  if (waker.to !== 'outside') return false;
  return waker.cause.kind === 'stdin' || (waker.cause.kind === 'terminal' && (company || !waker.cause.keys));
}

/**
 * In a set with other outside things, input is listened to but not necessarily wanted. An event loop with a timer goes
 * on without it; a select with a deadline (editors have one) was made for the input.
 */
function demoteInput(wakers: Waker[], task: Task, wait: Wait): Waker[] {
  const timed = wait.timeout !== null && wait.call.startsWith('epoll');
  const company = wakers.some((waker) => isCompany(waker, task));
  if (!timed && !company) return wakers;
  return wakers.flatMap((waker) => {
    if (waker.to === 'processes' && waker.input !== undefined) return listenedTo(waker.pids, waker.input);
    return waker.to === 'outside' && isInput(waker, company) ? { ...waker, strength: 'optional' } : waker;
  });
}

/** The source of input that is not asked for need not be known. */
function listenedTo(pids: readonly number[], file: FdFacts): Waker[] {
  return pids.map((pid) => {
    const cause: Cause = { kind: 'stdin', file, holders: [pid], shared: false, unseen: false };
    return { to: 'outside', cause, strength: 'optional' };
  });
}

/** Java re-checks a contended monitor by short timed waits: a deadlock appears as a timer there. */
function mayBeRecheck({ call, timeout }: Wait, { process, thread }: Task): boolean {
  const isShort = call === 'futex' && (timeout?.leftMs ?? 0) <= javaRecheckMs;
  return process.runtime === 'java' && isShort && thread.monitorless !== true;
}

function deadline(wait: Wait, task: Task, wakers: readonly Waker[]): Waker[] {
  const { timeout } = wait;
  if (timeout === null || (timeout.leftMs !== null && timeout.leftMs > foreverMs)) return [];
  if (mayBeRecheck(wait, task)) {
    return [
      {
        to: 'outside',
        cause: { kind: 'unknown', what: 'a Java monitor or a short timer' },
        strength: 'plain',
      },
    ];
  }
  // A deadline bounds a wait for something that is due; beside causes that are only possible, the thread waits for the
  // deadline.
  const bound = wakers.some((waker) => {
    if (waker.to === 'outside') return waker.strength !== 'optional' && !isOnlyPossible(waker.cause);
    return waker.to === 'thread' || leadsBeyond(waker.pids, task);
  });
  const { leftMs, exact } = timeout;
  // The timeout of a socket was set for just this wait: where the other side waits as well, nothing else ends it.
  const isOfSocket =
    wait.form === 'single' && wait.on.some((on) => on.what === 'file' && on.file.kind === 'socket');
  return [
    {
      to: 'outside',
      cause: { kind: 'timer', leftMs, exact, supposed: false },
      strength: bound && !isOfSocket ? 'optional' : 'plain',
    },
  ];
}

/**
 * Wakers that no file names: a signal is an end for a thread that merely sleeps (elsewhere it is a doubt, see
 * closed-set.ts), an io_uring may ring a doorbell, a timer may be armed.
 */
function signals(wait: Wait, task: Task): Waker[] {
  const { process } = task;
  const explicit = wait.on.some(({ what }) => what === 'signal');
  const soft = wait.form === 'set' || wait.on.length === 0 || wait.on.some(({ what }) => what === 'futex');
  const wakers: Waker[] = [];
  if (!explicit && soft && awaitedSignals(process) !== 0n) {
    wakers.push({ to: 'outside', cause: { kind: 'signal', explicit: false }, strength: 'plain' });
  }
  const ring = !isAbsent(process.fds) && process.fds.some(({ kind }) => kind === 'io_uring');
  // An io_uring may ring any doorbell of its process (a registered eventfd) without showing it.
  if (ring && wait.on.some(({ what }) => what === 'file')) {
    wakers.push({ to: 'outside', cause: { kind: 'ring' }, strength: 'optional' });
  }
  if ((process.posixTimers ?? 0) > 0) {
    const cause: Cause = { kind: 'timer', leftMs: null, exact: false, supposed: false };
    wakers.push({ to: 'outside', cause, strength: explicit ? 'plain' : 'optional' });
  } else if (mayHaveAlarm(process)) {
    const cause: Cause = { kind: 'timer', leftMs: null, exact: false, supposed: true };
    wakers.push({ to: 'outside', cause, strength: 'optional' });
  }
  return wakers;
}

/** A shell that edits a line: its jobs may end meanwhile, but it waits for the next key. */
function atPrompt(wait: Wait, wakers: readonly Waker[]): boolean {
  const keys = wakers.some(
    (waker) => waker.to === 'outside' && waker.cause.kind === 'terminal' && waker.cause.keys,
  );
  return keys && !wait.call.startsWith('epoll');
}

/** It reads a pipe or socket of its own: a handler may write there. */
function readsOwn(wait: Wait, { process }: Task, wakers: readonly Waker[]): boolean {
  return (
    wait.on.some((awaited) => awaited.what === 'file' && awaited.purpose === 'read') &&
    wakers.some((waker) => waker.to === 'processes' && waker.pids.includes(process.pid))
  );
}

function wakersOfWait(view: View, task: Task, { wait, signalled }: OwnWait): Waker[] {
  const direct = wait.on.flatMap((awaited) => throughSupervisors(view, wakersOf(view, task, awaited)));
  const heedsChildren =
    wait.form === 'set'
      ? !atPrompt(wait, direct)
      : wait.on.some(({ what }) => what === 'signal') || readsOwn(wait, task, direct);
  const all = heedsChildren ? [...direct, ...signalledByChildren(view, task)] : direct;
  const demoted = wait.form === 'set' ? demoteInput(demoteIdle(all), task, wait) : all;
  const nameless = [...deadline(wait, task, demoted), ...signalled, ...alarmWakers(view, task)];
  return nameless.length === 0 ? demoted : [...demoted, ...nameless];
}

/** The part of an outlook that is the same in the view of every branch. */
interface OwnWait {
  wait: Wait;
  /** What could end it although no file names it. */
  signalled: readonly Waker[];
}

const ownWaits = new WeakMap<object, Map<ThreadFacts, OwnWait | null>>();

/** null: it does not wait. */
function ownWait(view: View, task: Task): OwnWait | null {
  const found = ownWaits.get(view.shared) ?? new Map<ThreadFacts, OwnWait | null>();
  ownWaits.set(view.shared, found);
  const known = found.get(task.thread);
  if (known !== undefined) return known;
  const wait = waitOf(view, task);
  const own = wait === null ? null : { wait, signalled: signals(wait, task) };
  found.set(task.thread, own);
  return own;
}

/** The outlook of a living thread. */
export function outlookOf(view: View, task: Task): Outlook {
  if (view.isRelay(task.process.pid)) return relayOutlook(view, task);
  const state = detectCause(task, view);
  const own = ownOutlook(view, task, state);
  if (own !== null) return own;
  if (state?.kind === 'stopped' && state.traced && view.process(task.process.tracer) !== undefined) {
    const wakers: Waker[] = [
      ...toProcesses([task.process.tracer], 'tracer'),
      { to: 'outside', cause: state, strength: 'derived' },
    ];
    return { task, state: null, wait: null, wakers };
  }
  if (state !== null)
    return { task, state, wait: null, wakers: [{ to: 'outside', cause: state, strength: 'plain' }] };
  const waits = ownWait(view, task);
  if (waits === null) {
    // Seen running, but below the threshold of being busy: awake now and then.
    const cause: Cause = { kind: 'computing', ranMs: task.thread.ranMs, gapMs: view.snapshot.gapMs };
    return { task, state: cause, wait: null, wakers: [{ to: 'outside', cause, strength: 'plain' }] };
  }
  return { task, state: null, wait: waits.wait, wakers: wakersOfWait(view, task, waits) };
}
