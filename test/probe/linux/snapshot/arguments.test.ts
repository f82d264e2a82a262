import { describe, expect, test } from 'vitest';
import { at, decode, minusOne, minusOne32, never, pair, words } from '../runtimes/hand-made-memory.js';

const pollfd = (fd: number, events: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeInt32LE(fd, 0);
  bytes.writeUInt16LE(events, 4);
  return bytes;
};

describe('poll and select: what is watched', () => {
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

  test('ppoll: the timeout is a struct; a null pointer waits for ever', () => {
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

describe('how long: a timer with the time left', () => {
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

  test('io_uring_enter: only with the flag for it, in a struct behind a struct', () => {
    const argument = Buffer.alloc(24);
    argument.writeBigUInt64LE(at + 64n, 16);
    const memory: [bigint, Buffer][] = [
      [at, argument],
      [at + 64n, pair(3n, 0n)],
    ];
    const flags = 1n | 8n;
    expect(decode('io_uring_enter', [4n, 0n, 1n, flags, at, 24n], ...memory).timeout).toEqual({
      ms: 3000,
      absolute: false,
    });
    expect(decode('io_uring_enter', [4n, 0n, 1n, 1n, at, 24n], ...memory)).toEqual({});
    expect(decode('io_uring_enter', [4n, 0n, 1n, flags, at, 24n]).timeout).toEqual({ absent: 'failed' });
  });

  test('a struct that cannot be read is absent, not for ever', () => {
    expect(decode('nanosleep', [at, 0n]).timeout).toEqual({ absent: 'failed' });
    expect(decode('nanosleep', [at, 0n], [at, Buffer.alloc(8)]).timeout).toEqual({ absent: 'failed' });
  });
});
