import { type Absent, isAbsent } from '../../../model/facts/absence.js';
import type { BlockedCall, FutexFacts, TimeoutFacts, WatchedFd } from '../../../model/facts/snapshot.js';
import type { Clock } from '../kernel/kernel.js';
import type { Memory } from '../proc/mem.js';

/** Input of a decoder: the six arguments and the memory they point into. */
export interface CallContext {
  args: readonly bigint[];
  memory: Memory;
  /** Mapping a shared futex lies in. */
  sharedMapping(address: bigint): string | null;
  clockMs(clock: Clock): number;
}

type Decoded = Pick<BlockedCall, 'timeout' | 'watched' | 'futex' | 'path' | 'signalMask'>;
type Decoder = (context: CallContext) => Decoded;

const pollEntriesMax = 65_536;
const selectFdsMax = 65_536;
const pathBytesMax = 4096;
const futexWords = 10;
const futexesMax = 128; // FUTEX_WAITV_MAX of the kernel

const arg = (context: CallContext, index: number): bigint => context.args[index] ?? 0n;
const int = (context: CallContext, index: number): number => Number(BigInt.asIntN(32, arg(context, index)));

const never: TimeoutFacts = { ms: null, absolute: false };

/** A negative number of milliseconds waits for ever. */
function milliseconds(value: number): TimeoutFacts {
  return value < 0 ? never : { ms: value, absolute: false };
}

/** struct timespec (or timeval, `unitsPerMs` 1,000) at an address; a null pointer waits for ever. */
function timespec(context: CallContext, address: bigint, unitsPerMs = 1e6): TimeoutFacts | Absent {
  if (address === 0n) return never;
  const bytes = context.memory.read(address, 16);
  if (isAbsent(bytes)) return bytes;
  if (bytes.length < 16) return { absent: 'failed' };
  const ms = Number(bytes.readBigInt64LE(0)) * 1000 + Number(bytes.readBigInt64LE(8)) / unitsPerMs;
  return { ms, absolute: false };
}

function deadline(context: CallContext, address: bigint, clock: Clock): TimeoutFacts | Absent {
  const at = timespec(context, address);
  if (isAbsent(at) || at.ms === null) return at;
  return { ms: Math.max(0, at.ms - context.clockMs(clock)), absolute: true };
}

const clocks: Record<number, Clock> = { 0: 'realtime', 1: 'monotonic', 7: 'boottime' };

function pollSet(context: CallContext): WatchedFd[] | Absent {
  const count = Number(BigInt.asUintN(32, arg(context, 1)));
  if (count > pollEntriesMax) return { absent: 'limit' };
  if (count === 0) return [];
  const bytes = context.memory.read(arg(context, 0), count * 8);
  if (isAbsent(bytes)) return bytes;
  if (bytes.length < count * 8) return { absent: 'failed' };
  const watched: WatchedFd[] = [];
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    const fd = bytes.readInt32LE(at);
    const events = bytes.readUInt16LE(at + 4);
    // POLLIN | POLLPRI | POLLRDNORM | POLLRDHUP; POLLOUT | POLLWRNORM. Negative descriptors are skipped.
    if (fd >= 0) watched.push({ fd, read: (events & 0x2043) !== 0, write: (events & 0x104) !== 0 });
  }
  return watched;
}

function selectSet(context: CallContext): WatchedFd[] | Absent {
  const count = int(context, 0);
  if (count < 0 || count > selectFdsMax) return { absent: 'limit' };
  const watched = new Map<number, WatchedFd>();
  for (const [index, mode] of [
    [1, 'read'],
    [2, 'write'],
    [3, 'read'],
  ] as const) {
    const address = arg(context, index);
    if (address === 0n || count === 0) continue;
    const length = Math.ceil(count / 64) * 8;
    const bytes = context.memory.read(address, length);
    if (isAbsent(bytes)) return bytes;
    if (bytes.length < length) return { absent: 'failed' };
    for (let fd = 0; fd < count; fd += 1) {
      if (((bytes[fd >> 3] ?? 0) & (1 << (fd & 7))) === 0) continue;
      const entry = watched.get(fd) ?? { fd, read: false, write: false };
      entry[mode] = true;
      watched.set(fd, entry);
    }
  }
  return [...watched.values()];
}

function path(context: CallContext, address: bigint): string | Absent {
  // A string may end just before an unmapped page: the rest of this page is read first.
  const untilPageEnd = 4096 - Number(address & 4095n);
  const first = context.memory.read(address, Math.min(untilPageEnd, pathBytesMax));
  if (isAbsent(first)) return first;
  let bytes = first;
  if (!bytes.includes(0) && bytes.length < pathBytesMax) {
    const more = context.memory.read(address + BigInt(bytes.length), pathBytesMax - bytes.length);
    if (!isAbsent(more)) bytes = Buffer.concat([bytes, more]);
  }
  const end = bytes.indexOf(0);
  return bytes.subarray(0, end < 0 ? undefined : end).toString('utf8');
}

/** The path in a unix socket address; `@` stands for the zero byte of an abstract address. */
function unixAddress(context: CallContext): string | Absent {
  const bytes = context.memory.read(arg(context, 1), Math.min(Math.max(int(context, 2), 2), 110));
  if (isAbsent(bytes)) return bytes;
  if (bytes.length < 3 || bytes.readUInt16LE(0) !== 1) return { absent: 'unsupported' };
  const name = bytes.subarray(2).toString('utf8');
  return name.startsWith('\0') ? `@${name.slice(1)}` : (name.split('\0')[0] ?? '');
}

const futexOperations: Record<number, FutexFacts['operation']> = {
  0: 'wait',
  6: 'lock-pi',
  9: 'wait-bitset',
  11: 'requeue-pi',
  13: 'lock-pi',
};

function words(context: CallContext, address: bigint): number[] | Absent {
  const bytes = context.memory.read(address, futexWords * 4);
  if (isAbsent(bytes)) return bytes;
  return Array.from({ length: bytes.length >> 2 }, (_, index) => bytes.readUInt32LE(index * 4));
}

function futex(context: CallContext): Decoded {
  const operation = int(context, 1);
  const command = operation & 0x7f;
  const isPrivate = (operation & 0x80) !== 0;
  const address = arg(context, 0);
  const kind = futexOperations[command];
  if (kind === undefined) return {};
  // WAIT is relative; the others are absolute: FUTEX_LOCK_PI always by the wall clock (futex(2)).
  const realtime = (operation & 0x100) !== 0 || command === 6;
  const timeout =
    command === 0
      ? timespec(context, arg(context, 3))
      : deadline(context, arg(context, 3), realtime ? 'realtime' : 'monotonic');
  return {
    timeout,
    futex: {
      operation: kind,
      private: isPrivate,
      address: `0x${address.toString(16)}`,
      expected: Number(BigInt.asUintN(32, arg(context, 2))),
      words: words(context, address),
      mapping: isPrivate ? null : context.sharedMapping(address),
    },
  };
}

/** Several futexes at once: struct { u64 value; u64 address; u32 flags; u32 reserved; }. Owners are not determined. */
function futexWaitv(context: CallContext): Decoded {
  const count = int(context, 1);
  const bytes = context.memory.read(arg(context, 0), Math.min(Math.max(count, 1), futexesMax) * 24);
  if (isAbsent(bytes) || bytes.length < 24) return {};
  const flags = Array.from({ length: Math.floor(bytes.length / 24) }, (_, index) =>
    bytes.readUInt32LE(index * 24 + 16),
  );
  const address = bytes.readBigUInt64LE(8);
  const isPrivate = flags.every((flag) => (flag & 0x80) !== 0);
  return {
    timeout: deadline(context, arg(context, 3), clocks[int(context, 4)] ?? 'monotonic'),
    futex: {
      operation: 'wait-bitset',
      private: isPrivate,
      address: `0x${address.toString(16)}`,
      expected: Number(BigInt.asUintN(32, bytes.readBigUInt64LE(0))),
      words: [],
      mapping: isPrivate ? null : context.sharedMapping(address),
    },
  };
}

function signalMask(context: CallContext, address: bigint): string | Absent {
  const bytes = context.memory.read(address, 8);
  if (isAbsent(bytes)) return bytes;
  return bytes.length < 8 ? { absent: 'failed' } : bytes.readBigUInt64LE(0).toString(16);
}

/** With IORING_ENTER_EXT_ARG: struct { u64 mask; u32 size; u32 pad; u64 timespec; }. */
function ringTimeout(context: CallContext): Decoded {
  if ((int(context, 3) & 8) === 0) return {};
  const bytes = context.memory.read(arg(context, 4), 24);
  if (isAbsent(bytes) || bytes.length < 24) return { timeout: { absent: 'failed' } };
  return { timeout: timespec(context, bytes.readBigUInt64LE(16)) };
}

const epoll: Decoder = (context) => ({ timeout: milliseconds(int(context, 3)) });
const pathAt =
  (index: number): Decoder =>
  (context) => ({ path: path(context, arg(context, index)) });

const decoders: Record<string, Decoder> = {
  poll: (context) => ({ watched: pollSet(context), timeout: milliseconds(int(context, 2)) }),
  ppoll: (context) => ({ watched: pollSet(context), timeout: timespec(context, arg(context, 2)) }),
  select: (context) => ({ watched: selectSet(context), timeout: timespec(context, arg(context, 4), 1000) }),
  pselect6: (context) => ({ watched: selectSet(context), timeout: timespec(context, arg(context, 4)) }),
  epoll_wait: epoll,
  epoll_pwait: epoll,
  epoll_pwait2: (context) => ({ timeout: timespec(context, arg(context, 3)) }),
  nanosleep: (context) => ({ timeout: timespec(context, arg(context, 0)) }),
  clock_nanosleep: (context) => ({
    timeout:
      (int(context, 1) & 1) === 0
        ? timespec(context, arg(context, 2))
        : deadline(context, arg(context, 2), clocks[int(context, 0)] ?? 'monotonic'),
  }),
  futex,
  futex_waitv: futexWaitv,
  rt_sigtimedwait: (context) => ({
    signalMask: signalMask(context, arg(context, 0)),
    timeout: timespec(context, arg(context, 2)),
  }),
  semtimedop: (context) => ({ timeout: timespec(context, arg(context, 3)) }),
  mq_timedreceive: (context) => ({ timeout: deadline(context, arg(context, 4), 'realtime') }),
  mq_timedsend: (context) => ({ timeout: deadline(context, arg(context, 4), 'realtime') }),
  io_uring_enter: ringTimeout,
  io_getevents: (context) => ({ timeout: timespec(context, arg(context, 4)) }),
  connect: (context) => ({ path: unixAddress(context) }),
  open: pathAt(0),
  openat: pathAt(1),
  openat2: pathAt(1),
  stat: pathAt(0),
  lstat: pathAt(0),
  access: pathAt(0),
  newfstatat: pathAt(1),
  statx: pathAt(1),
  faccessat: pathAt(1),
  faccessat2: pathAt(1),
  chdir: pathAt(0),
  execve: pathAt(0),
  mkdir: pathAt(0),
  unlink: pathAt(0),
  unlinkat: pathAt(1),
  readlink: pathAt(0),
  readlinkat: pathAt(1),
};

/** Follows the arguments of a blocked call into memory. Memory that cannot be read is absent, not guessed. */
export function decodeArguments(name: string, context: CallContext): Decoded {
  return decoders[name]?.(context) ?? {};
}
