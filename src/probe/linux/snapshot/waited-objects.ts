import { isAbsent } from '../../../model/facts/absence.js';
import { callShapes, waitedFds, waitsForLock } from '../../../model/facts/calls.js';
import { fdIndex } from '../../../model/facts/fd-index.js';
import type { FdFacts, ProcessFacts, ThreadFacts } from '../../../model/facts/snapshot.js';
import type { SocketIndex } from '../../../model/facts/socket-index.js';

/** Without the call, a thread may wait on any of these. */
const blockingKinds = new Set(['pipe', 'socket', 'fifo', 'eventfd', 'terminal', 'ptmx']);

/** The open files a thread may be blocked on. */
export function waitedFiles(process: ProcessFacts, thread: ThreadFacts): FdFacts[] {
  const { fds } = process;
  if (isAbsent(fds)) return [];
  const { call } = thread;
  if (isAbsent(call)) return fds.filter((fd) => blockingKinds.has(fd.kind));
  if (call.at !== 'call') return [];
  const { byNumber } = fdIndex(fds);
  return waitedFds(call, fds).flatMap(({ fd }) => byNumber.get(fd) ?? []);
}

/** The kernel object whose holders could end a wait on this file: its other end, or the object itself. */
export function otherEnds(file: FdFacts, sockets: SocketIndex, call: ThreadFacts['call']): string[] {
  if (file.kind === 'terminal') {
    const index = /^terminal:pts\/(\d+)$/.exec(file.object)?.[1];
    return index === undefined ? [] : [`ptmx:${index}`];
  }
  if (file.kind === 'ptmx') {
    return file.detail?.of === 'ptmx' ? [`terminal:pts/${file.detail.index}`] : [];
  }
  if (file.kind === 'pipe' || file.kind === 'eventfd') return [file.object];
  if (file.kind === 'fifo') return [`file:${file.link}`];
  const socket = sockets.of(file);
  if (socket?.family === 'unix') {
    const path = !isAbsent(call) && call.at === 'call' && call.name === 'connect' ? call.path : undefined;
    const other =
      socket.peer || (typeof path === 'string' ? sockets.unixListener(socket.space, path)?.inode : undefined);
    return other ? [`socket:${other}`] : [];
  }
  if (socket?.family !== 'tcp' || socket.state === 'LISTEN') return [];
  const other = sockets.reverse(socket);
  if (other !== undefined && other.inode !== 0) return [`socket:${other.inode}`];
  const listener = sockets.listenerFor(socket);
  return listener === undefined ? [] : [`socket:${listener.inode}`];
}

/** Processes that a thread waits for by pid. */
export function waitedPids(process: ProcessFacts, thread: ThreadFacts): number[] {
  return waitedFiles(process, thread).flatMap((file) =>
    file.detail?.of === 'pidfd' ? [file.detail.pid] : [],
  );
}

export function waitsForChild(thread: ThreadFacts): boolean {
  const { call } = thread;
  return !isAbsent(call) && call.at === 'call' && callShapes[call.name]?.waits === 'child';
}

const dayMs = 24 * 3600 * 1000;

/** It sleeps for less than a day, or waits for its children, which decide when it wakes. */
export function wakesByItself({ threads, children }: ProcessFacts): boolean {
  return threads.every(({ call, state }) => {
    if (state !== 'S' || isAbsent(call) || call.at !== 'call') return false;
    const waits = callShapes[call.name]?.waits;
    // Some shells wait for the signal that a child sends at its end.
    if (waits === 'child' || waits === 'signal') return children.length > 0;
    const { timeout } = call;
    return waits === 'time' && timeout !== undefined && !isAbsent(timeout) && (timeout.ms ?? dayMs) < dayMs;
  });
}

export function waitsForFileLock(thread: ThreadFacts): boolean {
  const { call } = thread;
  if (isAbsent(call)) return /lock/.test(thread.wchan ?? '');
  return call.at === 'call' && waitsForLock(call);
}

/** Mappings that shared futex waiters of a process lie in. */
export function sharedFutexMappings(process: ProcessFacts): string[] {
  return process.threads.flatMap(({ call }) =>
    !isAbsent(call) && call.at === 'call' && call.futex?.mapping ? [call.futex.mapping] : [],
  );
}
