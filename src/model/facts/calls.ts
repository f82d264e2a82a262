import { isAbsent } from './absence.js';
import { fdIndex } from './fd-index.js';
import type { BlockedCall, FdFacts, ThreadFacts, WatchedFd } from './snapshot.js';

/** What a thread blocked in a system call waits for. */
export type CallShape =
  | { waits: 'fd'; purpose: 'read' | 'write' | 'accept' | 'connect' | 'lock' | 'device' }
  /** Copies bytes from one file to another and may be blocked on either; `from` and `to` are argument numbers. */
  | { waits: 'copy'; from: number; to: number }
  | { waits: 'set' }
  | { waits: 'epoll' }
  | { waits: 'child' }
  | { waits: 'spawned-child' }
  | { waits: 'futex' }
  | { waits: 'time' }
  | { waits: 'signal' }
  | { waits: 'open' }
  | { waits: 'ring' }
  | { waits: 'ipc' };

const reading: CallShape = { waits: 'fd', purpose: 'read' };
const writing: CallShape = { waits: 'fd', purpose: 'write' };

/** One row per call that can block for long; the first argument is the descriptor where `waits` is `fd`. */
export const callShapes: Readonly<Record<string, CallShape>> = {
  read: reading,
  readv: reading,
  pread64: reading,
  preadv: reading,
  preadv2: reading,
  recvfrom: reading,
  recvmsg: reading,
  recvmmsg: reading,
  write: writing,
  writev: writing,
  pwrite64: writing,
  pwritev: writing,
  pwritev2: writing,
  sendto: writing,
  sendmsg: writing,
  sendmmsg: writing,
  sendfile: { waits: 'copy', from: 1, to: 0 },
  splice: { waits: 'copy', from: 0, to: 2 },
  tee: { waits: 'copy', from: 0, to: 1 },
  vmsplice: writing,
  accept: { waits: 'fd', purpose: 'accept' },
  accept4: { waits: 'fd', purpose: 'accept' },
  connect: { waits: 'fd', purpose: 'connect' },
  flock: { waits: 'fd', purpose: 'lock' },
  fcntl: { waits: 'fd', purpose: 'lock' },
  ioctl: { waits: 'fd', purpose: 'device' },
  poll: { waits: 'set' },
  ppoll: { waits: 'set' },
  select: { waits: 'set' },
  pselect6: { waits: 'set' },
  epoll_wait: { waits: 'epoll' },
  epoll_pwait: { waits: 'epoll' },
  epoll_pwait2: { waits: 'epoll' },
  wait4: { waits: 'child' },
  waitid: { waits: 'child' },
  vfork: { waits: 'spawned-child' },
  clone: { waits: 'spawned-child' },
  clone3: { waits: 'spawned-child' },
  futex: { waits: 'futex' },
  futex_wait: { waits: 'futex' },
  futex_waitv: { waits: 'futex' },
  nanosleep: { waits: 'time' },
  clock_nanosleep: { waits: 'time' },
  pause: { waits: 'signal' },
  rt_sigsuspend: { waits: 'signal' },
  rt_sigtimedwait: { waits: 'signal' },
  open: { waits: 'open' },
  openat: { waits: 'open' },
  openat2: { waits: 'open' },
  io_uring_enter: { waits: 'ring' },
  io_getevents: { waits: 'ring' },
  io_pgetevents: { waits: 'ring' },
  semop: { waits: 'ipc' },
  semtimedop: { waits: 'ipc' },
  msgrcv: { waits: 'ipc' },
  msgsnd: { waits: 'ipc' },
  mq_timedreceive: { waits: 'ipc' },
  mq_timedsend: { waits: 'ipc' },
};

export function argNumber(call: BlockedCall, index: number): number {
  return Number(BigInt.asIntN(32, BigInt(call.args[index] ?? '0x0')));
}

const EPOLLIN_LIKE = 0x2043;
const EPOLLOUT_LIKE = 0x104;

/** EPOLLONESHOT leaves only its private bits once it has fired: such a target wakes no thread. */
const EPOLL_PRIVATE = 0xf0000000;

/**
 * Registrations of an epoll instance. It watches files, not numbers: a number that was closed and reused is found by
 * its inode, or not at all (`fd` -1).
 */
export function epollTargets(epfd: number, fds: readonly FdFacts[]): WatchedFd[] {
  const detail = fdIndex(fds).byNumber.get(epfd)?.detail;
  if (detail?.of !== 'epoll') return [];
  const armed = detail.targets.filter(({ events }) => (events & ~EPOLL_PRIVATE) !== 0);
  return armed.map(({ fd, events, inode, moved }) => ({
    fd: registered(fds, fd, inode, moved === true)?.fd ?? -1,
    read: (events & EPOLLIN_LIKE) !== 0,
    write: (events & EPOLLOUT_LIKE) !== 0,
  }));
}

function registered(
  fds: readonly FdFacts[],
  number: number,
  inode: number | null,
  moved: boolean,
): FdFacts | undefined {
  const { byNumber, byObject } = fdIndex(fds);
  const file = moved ? undefined : byNumber.get(number);
  const numbered = file?.kind === 'pipe' || file?.kind === 'socket';
  if (inode === null || (file !== undefined && !numbered)) return file;
  if (file?.object.endsWith(`:${inode}`)) return file;
  return byObject.get(`pipe:${inode}`) ?? byObject.get(`socket:${inode}`);
}

/** Registrations of an epoll instance, and of every instance among them: each may watch another one. */
function nestedTargets(epfd: number, fds: readonly FdFacts[], seen = new Set<number>()): WatchedFd[] {
  if (seen.has(epfd)) return [];
  seen.add(epfd);
  return epollTargets(epfd, fds).flatMap((target) => [target, ...nestedTargets(target.fd, fds, seen)]);
}

/**
 * Every descriptor a blocked call waits on, including the epoll instance itself; empty for calls that wait for
 * something else. Neither read nor write: only a hang-up of the other end ends the wait.
 */
export function waitedFds(call: BlockedCall, fds: readonly FdFacts[]): WatchedFd[] {
  const shape = callShapes[call.name];
  if (shape?.waits === 'fd') {
    const write = shape.purpose === 'write' || shape.purpose === 'connect';
    return [{ fd: argNumber(call, 0), read: !write, write }];
  }
  if (shape?.waits === 'copy') {
    return [
      { fd: argNumber(call, shape.from), read: true, write: false },
      { fd: argNumber(call, shape.to), read: false, write: true },
    ];
  }
  const seen = new Set<number>();
  if (shape?.waits === 'set') {
    if (call.watched === undefined || isAbsent(call.watched)) return [];
    return call.watched.flatMap((one) => [one, ...nestedTargets(one.fd, fds, seen)]);
  }
  if (shape?.waits !== 'epoll') return [];
  const epfd = argNumber(call, 0);
  return [{ fd: epfd, read: false, write: false }, ...nestedTargets(epfd, fds, seen)];
}

const F_SETLKW = 7;
const F_OFD_SETLKW = 38;

/** Whether a call waits until a file lock is free: fcntl(2), flock(2). */
export function waitsForLock(call: BlockedCall): boolean {
  return (
    call.name === 'flock' || (call.name === 'fcntl' && [F_SETLKW, F_OFD_SETLKW].includes(argNumber(call, 1)))
  );
}

/** Waits for a lock that belongs to an open file: /proc/locks names neither its holder nor the process that waits. */
export function isLockOfFile(call: BlockedCall): boolean {
  return call.name === 'fcntl' && argNumber(call, 1) === F_OFD_SETLKW;
}

/**
 * With this file a process decides about the calls of others (seccomp user notification); it does not name those
 * processes.
 */
export const filterListener = 'anon_inode:seccomp notify';

/** The kernel shows the call, not that another process has yet to allow it. */
export function isHeldByFilter({ wchan }: Pick<ThreadFacts, 'wchan'>): boolean {
  return wchan !== null && /seccomp/.test(wchan);
}

/** Blocked before or inside the call: by a page fault that another process handles, by fanotify, by a freezer. */
const heldElsewhere = /userfault|fanotify|get_signal|refrigerator|freez|ptrace/;

export function isHeldElsewhere({ wchan }: Pick<ThreadFacts, 'wchan'>): boolean {
  return wchan !== null && heldElsewhere.test(wchan);
}
