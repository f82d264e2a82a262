import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { type Absent, isAbsent } from '../../../src/model/absence.js';
import { type CallContext, decodeArguments } from '../../../src/probe/linux/arguments.js';
import { Memory } from '../../../src/probe/linux/mem.js';
import { syscallNames } from '../../../src/probe/linux/syscall-names.js';

/** Memory made by hand: pieces at addresses; what lies between them is not mapped. */
class HandMadeMemory extends Memory {
  readonly #pieces: [address: bigint, bytes: Buffer][];

  constructor(...pieces: [address: bigint, bytes: Buffer][]) {
    super(() => ({ absent: 'failed' }));
    this.#pieces = pieces;
  }

  override read(address: bigint, length: number): Buffer | Absent {
    for (const [start, bytes] of this.#pieces) {
      const from = Number(address - start);
      if (from >= 0 && from < bytes.length) return bytes.subarray(from, from + length);
    }
    return { absent: 'failed' };
  }
}

const at = 0x1000n;

function context(args: bigint[], ...pieces: [bigint, Buffer][]): CallContext {
  return {
    args,
    memory: new HandMadeMemory(...pieces),
    sharedMapping: (address) => `mapping of ${address.toString(16)}`,
    clockMs: (clock) => ({ realtime: 1_000_000, monotonic: 50_000, boottime: 60_000 })[clock],
  };
}

const decode = (name: string, args: bigint[], ...pieces: [bigint, Buffer][]) =>
  decodeArguments(name, context(args, ...pieces));

const pair = (first: bigint, second: bigint): Buffer => {
  const bytes = Buffer.alloc(16);
  bytes.writeBigInt64LE(first, 0);
  bytes.writeBigInt64LE(second, 8);
  return bytes;
};

const words = (...values: number[]): Buffer => Buffer.from(new Uint32Array(values).buffer);

const pollfd = (fd: number, events: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeInt32LE(fd, 0);
  bytes.writeUInt16LE(events, 4);
  return bytes;
};

const minusOne = 0xffffffffffffffffn;
const minusOne32 = 0xffffffffn;
const never = { ms: null, absolute: false };

describe('poll and select: what is watched (G3)', () => {
  const set = Buffer.concat([pollfd(0, 0x1), pollfd(-1, 0x1), pollfd(4, 0x4), pollfd(7, 0x5), pollfd(9, 0)]);

  test('poll: negative descriptors are skipped, a negative timeout is for ever', () => {
    expect(decode('poll', [at, 5n, minusOne32], [at, set])).toEqual({
      timeout: never,
      watched: [
        { fd: 0, read: true, write: false },
        { fd: 4, read: false, write: true },
        { fd: 7, read: true, write: true },
        { fd: 9, read: false, write: false },
      ],
    });
    expect(decode('poll', [at, 5n, 5000n], [at, set]).timeout).toEqual({ ms: 5000, absolute: false });
  });

  test('an empty poll is a sleep and needs no memory', () => {
    expect(decode('poll', [0n, 0n, 100n])).toEqual({ watched: [], timeout: { ms: 100, absolute: false } });
  });

  test('a set that could be read only in part is not taken for the whole', () => {
    expect(decode('poll', [at, 5n, 0n], [at, set.subarray(0, 20)]).watched).toEqual({ absent: 'failed' });
    const bits = words(1, 0);
    expect(decode('select', [200n, at, 0n, 0n, 0n], [at, bits]).watched).toEqual({ absent: 'failed' });
  });

  test('ppoll: the timeout is a struct; none is for ever', () => {
    expect(decode('ppoll', [at, 1n, 0n], [at, set])).toMatchObject({ timeout: never });
    expect(decode('ppoll', [at, 1n, 0x2000n], [at, set], [0x2000n, pair(2n, 500_000_000n)]).timeout).toEqual({
      ms: 2500,
      absolute: false,
    });
  });

  test('select: three sets of bits, also past 64; microseconds', () => {
    const reading = words(0b1001, 0, 0b10, 0);
    const writing = words(0b1000, 0, 0, 0);
    const result = decode(
      'select',
      [66n, at, 0x2000n, 0n, 0x3000n],
      [at, reading],
      [0x2000n, writing],
      [0x3000n, pair(1n, 500_000n)],
    );
    expect(result).toEqual({
      timeout: { ms: 1500, absolute: false },
      watched: [
        { fd: 0, read: true, write: false },
        { fd: 3, read: true, write: true },
        { fd: 65, read: true, write: false },
      ],
    });
  });

  test('bits past the given number do not count', () => {
    expect(decode('pselect6', [1n, at, 0n, 0n, 0n], [at, words(0b11, 0)])).toEqual({
      timeout: never,
      watched: [{ fd: 0, read: true, write: false }],
    });
  });

  test('sets larger than any are not read', () => {
    expect(decode('poll', [at, 0xffffffffn, 0n]).watched).toEqual({ absent: 'limit' });
    expect(decode('select', [1_000_000n, at, 0n, 0n, 0n]).watched).toEqual({ absent: 'limit' });
    expect(decode('select', [minusOne, at, 0n, 0n, 0n]).watched).toEqual({ absent: 'limit' });
  });
});

describe('how long (G3: timer with the time left)', () => {
  test('epoll: milliseconds in the arguments; epoll_pwait2 a struct', () => {
    expect(decode('epoll_wait', [3n, at, 10n, minusOne32])).toEqual({ timeout: never });
    expect(decode('epoll_pwait', [3n, at, 10n, 250n])).toEqual({ timeout: { ms: 250, absolute: false } });
    expect(decode('epoll_pwait2', [3n, at, 10n, 0n])).toEqual({ timeout: never });
    expect(decode('epoll_pwait2', [3n, at, 10n, at], [at, pair(0n, 1_000_000n)])).toEqual({
      timeout: { ms: 1, absolute: false },
    });
  });

  test('nanosleep is relative', () => {
    expect(decode('nanosleep', [at, 0n], [at, pair(98n, 700_000_000n)]).timeout).toEqual({
      ms: 98_700,
      absolute: false,
    });
  });

  test.each([
    ['realtime', 0n, 1010n, 10_000],
    ['monotonic', 1n, 60n, 10_000],
    ['boottime', 7n, 70n, 10_000],
    ['in the past', 1n, 10n, 0],
  ])('clock_nanosleep until a point of time: %s', (_, clock, seconds, ms) => {
    const result = decode('clock_nanosleep', [clock, 1n, at, 0n], [at, pair(seconds, 0n)]);
    expect(result.timeout).toEqual({ ms, absolute: true });
  });

  test('clock_nanosleep for a while', () => {
    expect(decode('clock_nanosleep', [0n, 0n, at, 0n], [at, pair(100n, 0n)]).timeout).toEqual({
      ms: 100_000,
      absolute: false,
    });
  });

  test('queues and rings', () => {
    expect(decode('semtimedop', [1n, at, 1n, 0n]).timeout).toEqual(never);
    expect(decode('mq_timedreceive', [3n, at, 1n, 0n, at], [at, pair(1002n, 0n)]).timeout).toEqual({
      ms: 2000,
      absolute: true,
    });
    expect(decode('io_getevents', [1n, 1n, 1n, at, 0n]).timeout).toEqual(never);
  });

  test('a struct that cannot be read is absent, not for ever', () => {
    expect(decode('nanosleep', [at, 0n]).timeout).toEqual({ absent: 'failed' });
    expect(decode('nanosleep', [at, 0n], [at, Buffer.alloc(8)]).timeout).toEqual({ absent: 'failed' });
  });
});

describe('futex: whose lock, how long (G2)', () => {
  const mutex = words(2, 0, 4711, 1, 0, 0, 0, 0, 0, 0);

  test('FUTEX_WAIT_PRIVATE on a mutex', () => {
    expect(decode('futex', [at, 0x80n, 2n, 0n], [at, mutex])).toEqual({
      timeout: never,
      futex: {
        operation: 'wait',
        private: true,
        address: '0x1000',
        expected: 2,
        words: [2, 0, 4711, 1, 0, 0, 0, 0, 0, 0],
        mapping: null,
      },
    });
  });

  test.each([
    ['WAIT, relative', 0x80n, 'wait', { ms: 70_000, absolute: false }],
    ['WAIT_BITSET, monotonic', 0x89n, 'wait-bitset', { ms: 20_000, absolute: true }],
    ['WAIT_BITSET, wall clock', 0x189n, 'wait-bitset', { ms: 0, absolute: true }],
    ['LOCK_PI, wall clock always', 0x86n, 'lock-pi', { ms: 0, absolute: true }],
    ['LOCK_PI2, monotonic', 0x8dn, 'lock-pi', { ms: 20_000, absolute: true }],
    ['WAIT_REQUEUE_PI', 0x8bn, 'requeue-pi', { ms: 20_000, absolute: true }],
  ])('%s', (_, operation, name, timeout) => {
    const result = decode('futex', [at, operation, 2n, 0x2000n], [at, mutex], [0x2000n, pair(70n, 0n)]);
    expect(result.futex?.operation).toBe(name);
    expect(result.timeout).toEqual(timeout);
  });

  test('shared: known elsewhere by what it lies in', () => {
    expect(decode('futex', [at, 0x109n, 0x80002f19n, 0n], [at, mutex]).futex).toMatchObject({
      private: false,
      expected: 0x80002f19,
      mapping: 'mapping of 1000',
    });
  });

  test('memory out of reach, a page that ends, an operation that does not wait', () => {
    expect(decode('futex', [at, 0x80n, 2n, 0n]).futex?.words).toEqual({ absent: 'failed' });
    expect(decode('futex', [at, 0x80n, 2n, 0n], [at, words(2, 0, 5)]).futex?.words).toEqual([2, 0, 5]);
    expect(decode('futex', [at, 0x81n, 1n, 0n], [at, mutex])).toEqual({});
  });
});

describe('paths and signals', () => {
  test('a path ends at its zero', () => {
    const bytes = Buffer.from('/tmp/a fifo\0rest of the page');
    expect(decode('openat', [0xffffff9cn, at, 0n], [at, bytes])).toEqual({ path: '/tmp/a fifo' });
    expect(decode('open', [at], [at, bytes])).toEqual({ path: '/tmp/a fifo' });
  });

  test('a path across two pages, and one that ends with the last mapped page', () => {
    const page = Buffer.alloc(4096);
    page.write('/tmp/ab', 4089);
    expect(decode('statx', [0n, 0x1ff9n], [at, page], [0x2000n, Buffer.from('cd\0')])).toEqual({
      path: '/tmp/abcd',
    });
    expect(decode('statx', [0n, 0x1ff9n], [at, page])).toEqual({ path: '/tmp/ab' });
  });

  test('a path without an end is cut', () => {
    const { path } = decode('open', [at], [at, Buffer.alloc(9000, 'a')]);
    expect(path).toHaveLength(4096);
  });

  test('sigwait: which signals, for how long', () => {
    const mask = words(0x14002, 0);
    expect(decode('rt_sigtimedwait', [at, 0n, 0n, 8n], [at, mask])).toEqual({
      signalMask: '14002',
      timeout: never,
    });
    expect(decode('rt_sigtimedwait', [at, 0n, 0n, 8n]).signalMask).toEqual({ absent: 'failed' });
  });

  test('why memory stays out of reach is passed on (G5)', () => {
    const memory = new Memory(() => ({ absent: 'not-permitted' }));
    const denied = { absent: 'not-permitted' };
    const read = (name: string, args: bigint[]) => decodeArguments(name, { ...context(args), memory });
    expect(read('poll', [at, 1n, 0n]).watched).toEqual(denied);
    expect(read('select', [1n, at, 0n, 0n, 0n]).watched).toEqual(denied);
    expect(read('nanosleep', [at]).timeout).toEqual(denied);
    expect(read('futex', [at, 0x80n, 2n, 0n]).futex?.words).toEqual(denied);
    expect(read('open', [at]).path).toEqual(denied);
    expect(read('rt_sigtimedwait', [at, 0n, 0n, 8n]).signalMask).toEqual(denied);
  });
});

test('a call without a decoder adds nothing', () => {
  expect(decode('getpid', [])).toEqual({});
});

const names = [...new Set(['x64', 'arm64'].flatMap((arch) => [...(syscallNames(arch)?.values() ?? [])]))];
const argument = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  fc.constantFrom(0n, at, at + 4095n, minusOne, minusOne32, 5n),
);

property.prop([
  fc.constantFrom(...names),
  fc.array(argument, { minLength: 6, maxLength: 6 }),
  fc.uint8Array({ maxLength: 200 }),
])(
  'any call with any arguments over any memory gives facts or absences, never an error',
  (name, args, bytes) => {
    const decoded = decode(name, args, [at, Buffer.from(bytes)]);
    expect(JSON.parse(JSON.stringify(decoded))).toEqual(decoded);
    for (const value of Object.values(decoded))
      if (isAbsent(value)) expect(value.absent).toMatch(/failed|limit/);
  },
);
