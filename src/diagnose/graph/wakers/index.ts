import { isAbsent } from '../../../model/facts/absence.js';
import { callShapes, filterListener } from '../../../model/facts/calls.js';
import type { FdFacts } from '../../../model/facts/snapshot.js';
import type { Awaited, Purpose } from '../awaited.js';
import type { Cause } from '../cause.js';
import { includesChild, isMadeForTimer, pausedFor, withoutChild } from '../closed/signals.js';
import type { Task, View } from '../view.js';
import { toProcesses, type Waker } from '../waker.js';
import { childWakers, livingChildWakers } from './child.js';
import { fileLockWakers } from './file-lock.js';
import { futexWakers } from './futex.js';
import { isBell } from './input.js';
import { monitorWakers } from './monitor.js';
import { pipeReadWakers, pipeWriteWakers } from './pipe.js';
import { socketWakers } from './socket.js';
import { masterWakers, terminalWakers, terminalWriteWakers } from './terminal.js';

/** `dmesg --follow` waits for news, not for an answer. */
const kernelLogs: ReadonlySet<string> = new Set(['/dev/kmsg', '/proc/kmsg']);

/** The kernel reports changes of these files to a process that polls them. */
const kernelNews = /^\/(proc\/|sys\/)/;

function isWatched({ thread: { call } }: Task): boolean {
  return !isAbsent(call) && call.at === 'call' && callShapes[call.name]?.waits === 'set';
}

const outside = (cause: Cause): Waker[] => [{ to: 'outside', cause, strength: 'plain' }];

/** Files through which a driver or a control group may ring an eventfd by itself. */
const kernelBells = /^\/(sys\/fs\/cgroup|dev\/(kvm|vfio|vhost|uio))/;

/**
 * Any process that holds an eventfd can ring it. A thread alone with its own eventfd has given it to the kernel, for
 * asynchronous I/O, a control group or a device, none of which shows in /proc.
 */
function eventfdWakers(view: View, task: Task, file: FdFacts): Waker[] {
  const { process } = task;
  const { pids } = view.endOf(file.object, 'any');
  const alone = pids.length === 1 && process.threads.length === 1;
  const bells = !isAbsent(process.fds) && process.fds.some(({ link }) => kernelBells.test(link));
  const edges = toProcesses(pids, 'eventfd');
  return alone || bells
    ? [...edges, ...outside({ kind: 'device', link: 'an eventfd that the kernel may signal' })]
    : edges;
}

/** Other processes that have the same open file and can make it ready. */
function otherHolders(view: View, task: Task, file: FdFacts): Waker[] {
  const { pids } = view.endOf(file.object, 'any');
  return toProcesses(
    pids.filter((pid) => pid !== task.process.pid),
    'eventfd',
  );
}

/** Only the end of the other side is waited for: its holders are inside or outside of the tree. */
function hangUpWakers(view: View, task: Task, file: FdFacts): Waker[] {
  const followed = file.kind === 'pipe' || file.kind === 'ptmx';
  const wakers = followed ? fileWakers(view, task, file, 'read') : [];
  const inside = wakers.map((waker) => insideOf(view, waker));
  if (followed && inside.every((one, index) => one === wakers[index])) return wakers;
  const cause: Cause = { kind: 'device', link: `the hang-up of fd ${file.fd} = ${file.link}` };
  // Most often this is a precaution beside the real wait.
  const kept = inside.filter((waker) => waker !== null);
  return [...kept, { to: 'outside', cause, strength: 'optional' }];
}

/** The part of it that leads into the tree; null: nothing. */
function insideOf(view: View, waker: Waker): Waker | null {
  if (waker.to === 'outside') return null;
  if (waker.to === 'thread') return view.hasMember(waker.pid) ? waker : null;
  const pids = waker.pids.filter((pid) => view.hasMember(pid));
  if (pids.length === waker.pids.length) return waker;
  return pids.length === 0 ? null : { ...waker, pids };
}

/** A FIFO with a name: the holders of its other end, and any process that may still open it. */
function fifoWakers(view: View, task: Task, file: FdFacts, purpose: Purpose): Waker[] {
  const partner = outside({ kind: 'fifo-partner', path: file.link, opening: false });
  // An input pump of Unstuck has it as its standard input, but no person types there.
  if (purpose !== 'write' && isBell(file)) return partner;
  const holders = purpose === 'write' ? pipeWriteWakers(view, file) : pipeReadWakers(view, task, file);
  const known = holders.filter((waker) => waker.to !== 'outside' || waker.cause.kind !== 'unseen-holder');
  return file.link.endsWith(' (deleted)') ? holders : [...known, ...partner];
}

/** A mask that asks for SIGCHLD alone waits for a child; any other signal may come from anywhere. */
function signalWakers(view: View, task: Task, mask: bigint | null): Waker[] {
  const children = mask !== null && includesChild(mask) ? livingChildWakers(view, task) : [];
  const awaited = mask === null ? pausedFor(task.process) : withoutChild(mask);
  if (awaited === 0n) return children;
  const signal = outside({ kind: 'signal', explicit: true });
  // A signal that is blocked and waited for needs no handler: see mayHaveAlarm for signals that are caught.
  if (mask === null || !isMadeForTimer(mask)) return [...children, ...signal];
  const timer: Cause = { kind: 'timer', leftMs: null, exact: false, supposed: true };
  return [...children, ...signal, { to: 'outside', cause: timer, strength: 'optional' }];
}

function fileWakers(view: View, task: Task, file: FdFacts, purpose: Purpose): Waker[] {
  if (purpose === 'hang-up') return hangUpWakers(view, task, file);
  switch (file.kind) {
    case 'fifo':
      return fifoWakers(view, task, file, purpose);
    case 'pipe':
      return purpose === 'write' ? pipeWriteWakers(view, file) : pipeReadWakers(view, task, file);
    case 'socket':
      return socketWakers(view, task, file, purpose);
    case 'terminal':
      return purpose === 'write' ? terminalWriteWakers(view, file) : terminalWakers(view, task, file);
    case 'ptmx':
      return masterWakers(view, task, file);
    case 'eventfd':
      return eventfdWakers(view, task, file);
    case 'timerfd': {
      if (file.detail?.of !== 'timerfd') return outside({ kind: 'unknown', what: 'a timer of its own' });
      const { leftMs } = file.detail;
      // A disarmed timer wakes no thread unless a process that has it arms it.
      if (leftMs === null)
        return [...toProcesses([task.process.pid], 'futex'), ...otherHolders(view, task, file)];
      return outside({ kind: 'timer', leftMs, exact: true, supposed: false });
    }
    case 'signalfd': {
      if (file.detail?.of !== 'signalfd') return outside({ kind: 'unknown', what: 'a signal' });
      return signalWakers(view, task, BigInt(`0x${file.detail.mask}`));
    }
    case 'inotify':
      return outside({ kind: 'watching', watches: file.detail?.of === 'inotify' ? file.detail.watches : 0 });
    case 'pidfd': {
      const pid = file.detail?.of === 'pidfd' ? file.detail.pid : -1;
      if (view.process(pid) === undefined) return outside({ kind: 'unknown', what: `process ${pid}` });
      return toProcesses([pid], 'pidfd');
    }
    case 'io_uring':
      return outside({ kind: 'ring' });
    case 'epoll':
      return otherHolders(view, task, file);
    case 'file':
    case 'null':
      // A relay reads and passes on the input of the command without anyone's action.
      if (view.isRelay(task.process.pid))
        return outside({ kind: 'other-end', file, purpose: 'read', holders: [task.process.pid] });
      // A poll returns at once for storage: it waits for the kernel to report a change (mounts, control groups, pressure).
      if (kernelNews.test(file.link) && isWatched(task)) return outside({ kind: 'watching', watches: 1 });
      // Not storage: the kernel's own files, and queues, which are waited on like devices.
      if (/^\/(proc|sys|dev)\//.test(file.link) || purpose !== 'read')
        return outside({ kind: 'device', link: file.link });
      return outside({ kind: 'filesystem', path: file.link, wchan: task.thread.wchan });
    case 'device':
    case 'other':
      if (kernelLogs.has(file.link)) return outside({ kind: 'watching', watches: 1 });
      return outside({ kind: 'device', link: file.link });
  }
}

/**
 * Requests of an io_uring write to files that it keeps open without a descriptor. What the own ring of a process does is
 * up to the kernel.
 */
function ringWakers(view: View, { process }: Task, file: FdFacts): Waker[] {
  const peer = file.kind === 'socket' ? view.sockets.of(file)?.peer : undefined;
  const link = file.kind === 'socket' ? `socket:[${peer}]` : file.link;
  return [...view.ringHolders(link)].flatMap((pid): Waker[] =>
    pid === process.pid ? outside({ kind: 'ring' }) : toProcesses([pid], 'pipe'),
  );
}

/** /proc does not show which process decides about whose calls. */
function filterWakers(view: View): Waker[] {
  const { pids } = view.endOf(filterListener, 'any');
  if (pids.length === 0)
    return outside({ kind: 'device', link: 'the process that decides about its calls (seccomp)' });
  return toProcesses(pids, 'filter');
}

/** Everything that could cause one awaited event. */
export function wakersOf(view: View, task: Task, awaited: Awaited): Waker[] {
  switch (awaited.what) {
    case 'file':
      return [
        ...fileWakers(view, task, awaited.file, awaited.purpose),
        ...ringWakers(view, task, awaited.file),
      ];
    case 'children':
      return childWakers(view, task, awaited.pids);
    case 'futex':
      return futexWakers(view, task, awaited.futex);
    case 'monitor':
      return monitorWakers(task, awaited.monitor);
    case 'signal':
      return signalWakers(view, task, awaited.mask);
    case 'file-lock':
      return fileLockWakers(view, task, awaited);
    case 'filesystem':
      return outside({ kind: 'filesystem', path: awaited.path, wchan: task.thread.wchan });
    case 'filter':
      return filterWakers(view);
    case 'outside':
      return outside(awaited.cause);
  }
}
