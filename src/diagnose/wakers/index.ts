import type { FdFacts } from '../../model/snapshot.js';
import type { Awaited, Purpose } from '../awaited.js';
import type { Cause } from '../cause.js';
import { awaitedSignals, includesChild, withoutChild } from '../signals.js';
import type { Task, View } from '../view.js';
import type { Waker } from '../waker.js';
import { childWakers, livingChildWakers } from './child.js';
import { fileLockWakers } from './file-lock.js';
import { futexWakers } from './futex.js';
import { pipeReadWakers, pipeWriteWakers } from './pipe.js';
import { socketWakers } from './socket.js';
import { masterWakers, terminalWakers, terminalWriteWakers } from './terminal.js';

const outside = (cause: Cause): Waker[] => [{ to: 'outside', cause, strength: 'plain' }];

function eventfdWakers(view: View, file: FdFacts): Waker[] {
  const pids = [...new Set(view.holders(file.object).map(({ process }) => process.pid))];
  return pids.map((pid) => ({ to: 'process', pid, via: 'eventfd' }));
}

/** A FIFO with a name: whoever holds its other end, and anybody who may still open it. */
function fifoWakers(view: View, task: Task, file: FdFacts, purpose: Purpose): Waker[] {
  const holders = purpose === 'write' ? pipeWriteWakers(view, file) : pipeReadWakers(view, task, file);
  const known = holders.filter((waker) => waker.to !== 'outside' || waker.cause.kind !== 'unseen-holder');
  return file.link.endsWith(' (deleted)')
    ? holders
    : [...known, ...outside({ kind: 'fifo-partner', path: file.link })];
}

/** A mask that asks for SIGCHLD alone waits for a child; any other signal may come from anywhere. */
function signalWakers(view: View, task: Task, mask: bigint | null): Waker[] {
  const children = mask !== null && includesChild(mask) ? livingChildWakers(view, task) : [];
  const awaited = mask === null ? awaitedSignals(task.process) : withoutChild(mask);
  return awaited === 0n ? children : [...children, ...outside({ kind: 'signal', explicit: true })];
}

function fileWakers(view: View, task: Task, file: FdFacts, purpose: Purpose): Waker[] {
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
      return eventfdWakers(view, file);
    case 'timerfd': {
      const leftMs = file.detail?.of === 'timerfd' ? file.detail.leftMs : null;
      // A disarmed timer wakes nobody unless a thread of its own process arms it.
      if (leftMs === null) return [{ to: 'process', pid: task.process.pid, via: 'futex' }];
      return outside({ kind: 'timer', leftMs, exact: true, supposed: false });
    }
    case 'signalfd': {
      const mask = file.detail?.of === 'signalfd' ? BigInt(`0x${file.detail.mask}`) : null;
      return signalWakers(view, task, mask);
    }
    case 'inotify':
      return outside({ kind: 'watching', watches: file.detail?.of === 'inotify' ? file.detail.watches : 0 });
    case 'pidfd': {
      const pid = file.detail?.of === 'pidfd' ? file.detail.pid : -1;
      if (view.process(pid) === undefined) return outside({ kind: 'unknown', what: `process ${pid}` });
      return [{ to: 'process', pid, via: 'pidfd' }];
    }
    case 'io_uring':
      return outside({ kind: 'ring' });
    case 'epoll':
      return [];
    case 'file':
    case 'null':
      return outside({ kind: 'filesystem', path: file.link, wchan: task.thread.wchan });
    case 'device':
    case 'other':
      return outside({ kind: 'device', link: file.link });
  }
}

/** Everything that could bring about one awaited thing. */
export function wakersOf(view: View, task: Task, awaited: Awaited): Waker[] {
  switch (awaited.what) {
    case 'file':
      return fileWakers(view, task, awaited.file, awaited.purpose);
    case 'children':
      return childWakers(view, task, awaited.pids);
    case 'futex':
      return futexWakers(view, task, awaited.futex);
    case 'signal':
      return signalWakers(view, task, awaited.mask);
    case 'file-lock':
      return fileLockWakers(view, task, awaited.file);
    case 'partner':
      return outside({ kind: 'fifo-partner', path: awaited.path });
    case 'filesystem':
      return outside({ kind: 'filesystem', path: awaited.path, wchan: task.thread.wchan });
    case 'ring':
      return outside({ kind: 'ring' });
    case 'ipc':
      return outside({ kind: 'ipc', call: awaited.call });
    case 'unknown':
      return outside({ kind: 'unknown', what: awaited.about });
  }
}
