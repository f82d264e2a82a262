import { isAbsent } from '../../model/facts/absence.js';
import {
  argNumber,
  callShapes,
  isHeldByFilter,
  isHeldElsewhere,
  isLockOfFile,
  waitedFds,
  waitsForLock,
} from '../../model/facts/calls.js';
import type { MonitorFacts } from '../../model/facts/monitors.js';
import type { BlockedCall, FdFacts, FdKind, ProcessFacts } from '../../model/facts/snapshot.js';
import { type Awaited, closedMeanwhile, type Purpose, unknownWait, type Wait } from './awaited.js';
import { timeoutOf } from './timeout.js';
import type { Task, View } from './view.js';
import { shapeOfWchan } from './wchan.js';

function awaitedFiles(
  view: View,
  process: ProcessFacts,
  call: BlockedCall,
): { on: Awaited[]; complete: boolean } {
  if (isAbsent(process.fds)) return { on: [], complete: false };
  const on: Awaited[] = [];
  let complete = true;
  for (const { fd, read, write } of waitedFds(call, process.fds)) {
    const file = view.file(process, fd);
    if (file === undefined) {
      // Watched, but not found among the open files: it may end the wait.
      complete = false;
      continue;
    }
    // The watched files could not be read.
    if (file.kind === 'epoll' && file.detail?.of !== 'epoll') complete = false;
    if (file.kind === 'epoll') on.push({ what: 'file', file, purpose: 'control' });
    else if (!read && !write) on.push({ what: 'file', file, purpose: 'hang-up' });
    if (read && file.kind !== 'epoll') on.push({ what: 'file', file, purpose: 'read' });
    if (write) on.push({ what: 'file', file, purpose: 'write' });
  }
  return { on, complete };
}

/** Kernel functions that wait on files of these kinds only. */
const kindsOf: readonly [kernelFunction: RegExp, kinds: readonly FdKind[]][] = [
  // A file with a name may be a FIFO.
  [/pipe_(read|write|wait)/, ['pipe', 'fifo', 'file']],
  [/^timerfd_/, ['timerfd']],
  [/^eventfd_/, ['eventfd']],
  [/^signalfd_/, ['signalfd']],
  [/^inotify_/, ['inotify']],
  [/^(unix|tcp|inet|sk|__skb)_/, ['socket']],
  [/^do_wait_intr/, ['timerfd', 'eventfd', 'signalfd', 'inotify', 'file', 'device', 'other']],
];

/**
 * A call keeps its file when another thread closes the number and a new file gets it. Then only the kernel function that
 * the thread sleeps in shows that it waits for something else. Of a thread that ran, the function may be of a later call.
 */
function fitsKind({ wchan, state, moved }: Task['thread'], { kind }: FdFacts): boolean {
  if (wchan === null || state !== 'S' || moved !== false) return true;
  if (kind === 'pipe') return /pipe/.test(wchan);
  const row = kindsOf.find(([pattern]) => pattern.test(wchan));
  return row === undefined || row[1].includes(kind);
}

function single(view: View, task: Task, call: BlockedCall, purpose: Purpose): Awaited[] {
  const fd = argNumber(call, 0);
  const file = view.file(task.process, fd);
  if (file !== undefined && !fitsKind(task.thread, file))
    return [unknownWait(`a file that was closed, whose descriptor ${fd} is another file now`)];
  if (file !== undefined) return [{ what: 'file', file, purpose }];
  return [hasClosed(view, task) ? closedMeanwhile : unknownWait(`file ${fd}`)];
}

/** The call was read before the open files. The thread has run since, and all of them were read. */
function hasClosed({ snapshot }: View, { process: { pid, fds }, thread }: Task): boolean {
  const isUnread = snapshot.absent.some((one) => one.source === 'fd' && one.pid === pid);
  return thread.moved === true && !isAbsent(fds) && !isUnread;
}

function childrenOf(call: BlockedCall): number[] | 'any' {
  const [first, second] = [argNumber(call, 0), argNumber(call, 1)];
  // wait4: -1 and groups mean any; waitid: idtype 1 is P_PID.
  if (call.name === 'waitid') return first === 1 ? [second] : 'any';
  return first > 0 ? [first] : 'any';
}

/** The blocked side of a copy; only the kernel function shows it. */
function copySide(wchan: string | null): 'read' | 'write' | null {
  if (/pipe_write|pipe_wait_writable|opipe|send|wait_memory/.test(wchan ?? '')) return 'write';
  return /pipe_read|pipe_wait_readable|ipipe|recv|data_wait|tty_read|splice_from|stream_read/.test(
    wchan ?? '',
  )
    ? 'read'
    : null;
}

function awaitedBy(
  view: View,
  { process, thread }: Task,
  call: BlockedCall,
): Pick<Wait, 'on' | 'form' | 'complete'> {
  const shape = callShapes[call.name];
  const one = (on: Awaited[]): Pick<Wait, 'on' | 'form' | 'complete'> => ({
    on,
    form: 'single',
    complete: true,
  });
  switch (shape?.waits) {
    case 'fd': {
      if (shape.purpose === 'lock') {
        if (waitsForLock(call))
          return one([
            {
              what: 'file-lock',
              file: view.file(process, argNumber(call, 0)) ?? null,
              ofFile: isLockOfFile(call),
            },
          ]);
        return one([unknownWait(call.name)]);
      }
      return one(
        single(view, { process, thread }, call, shape.purpose === 'device' ? 'control' : shape.purpose),
      );
    }
    case 'copy': {
      const { on } = awaitedFiles(view, process, call);
      const side = copySide(thread.wchan);
      const blocked = on.filter(
        (awaited) => awaited.what === 'file' && (side === null || awaited.purpose === side),
      );
      return { on: blocked, form: 'single', complete: side !== null };
    }
    case 'set': {
      const unread = call.watched === undefined || isAbsent(call.watched);
      const { on, complete } = awaitedFiles(view, process, call);
      return { on, form: 'set', complete: complete && !unread };
    }
    case 'epoll':
      return { ...awaitedFiles(view, process, call), form: 'set' };
    case 'child':
      return one([{ what: 'children', pids: childrenOf(call) }]);
    case 'spawned-child':
      return one([{ what: 'children', pids: 'any' }]);
    case 'futex':
      return one(
        call.futex === undefined ? [unknownWait('a futex')] : [{ what: 'futex', futex: call.futex }],
      );
    case 'time':
      return one([]);
    case 'signal': {
      const { signalMask } = call;
      const mask = typeof signalMask === 'string' ? BigInt(`0x${signalMask}`) : null;
      return one([{ what: 'signal', mask: call.name === 'rt_sigtimedwait' ? mask : null }]);
    }
    case 'open': {
      const path = typeof call.path === 'string' ? call.path : null;
      const partner = thread.wchan === null || /partner|fifo/.test(thread.wchan);
      return one([
        partner
          ? { what: 'outside', cause: { kind: 'fifo-partner', path: path ?? '', opening: true } }
          : { what: 'filesystem', path },
      ]);
    }
    case 'ring':
      return one([{ what: 'outside', cause: { kind: 'ring' } }]);
    case 'ipc':
      return one([{ what: 'outside', cause: { kind: 'ipc', call: call.name } }]);
    case undefined:
      return one([
        typeof call.path === 'string' ? { what: 'filesystem', path: call.path } : unknownWait(call.name),
      ]);
  }
}

/** The timeout of the call does not bound the wait: when it is over, the thread checks again and goes on waiting. */
function monitorWait(monitor: MonitorFacts): Wait {
  const on: Awaited[] = [{ what: 'monitor', monitor }];
  return { call: 'futex', source: 'call', form: 'single', on, timeout: null, complete: true };
}

/** The call is known, but has not happened yet: another process, or the kernel, holds it back. */
function heldWait({ name, path }: BlockedCall, thread: Task['thread']): Wait | null {
  const held = { call: name, source: 'call', form: 'single', timeout: null, complete: false } as const;
  if (isHeldByFilter(thread)) return { ...held, on: [{ what: 'filter' }] };
  if (/^fanotify/.test(thread.wchan ?? '')) {
    const file = typeof path === 'string' ? path : null;
    return { ...held, on: [{ what: 'outside', cause: { kind: 'access-check', path: file } }] };
  }
  if (!isHeldElsewhere(thread)) return null;
  return {
    ...held,
    on: [unknownWait(`the kernel function ${thread.wchan} on the way to ${name}`)],
  };
}

/** What a blocked thread waits for; null when it does not wait (it runs, or is dead). */
export function waitOf(view: View, task: Task): Wait | null {
  const { process, thread } = task;
  const { call, monitor } = thread;
  if (isAbsent(call)) return shapeOfWchan(view, task);
  if (monitor !== undefined) return monitorWait(monitor);
  if (call.at === 'running') return null;
  if (call.at === 'outside') {
    return {
      call: 'no call',
      source: 'none',
      form: 'single',
      on: [
        thread.wchan === 'handle_userfault'
          ? { what: 'outside', cause: { kind: 'page-fault' } }
          : unknownWait('an event that the kernel does not name'),
      ],
      timeout: null,
      complete: false,
    };
  }
  const held = heldWait(call, thread);
  if (held !== null) return held;
  // Only the kernel function shows whether a filter holds the call.
  const mayBeHeld = thread.wchan === null && process.seccomp !== 0;
  const { on, form, complete } = awaitedBy(view, { process, thread }, call);
  const timeout = timeoutOf(call, thread, on, form);
  return {
    call: call.name,
    source: 'call',
    form,
    on,
    timeout: timeout === 'unknown' ? null : timeout,
    complete: complete && timeout !== 'unknown' && !mayBeHeld,
  };
}
