import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { isAbsent } from '../../../../src/model/facts/absence.js';
import { Memory } from '../../../../src/probe/linux/proc/mem.js';
import { syscallNames } from '../../../../src/probe/linux/proc/syscall.js';
import { decodeArguments } from '../../../../src/probe/linux/snapshot/arguments.js';
import {
  at,
  context,
  decode,
  minusOne,
  minusOne32,
  never,
  pair,
  words,
} from '../runtimes/hand-made-memory.js';

describe('futex: owner of the lock, and timeout', () => {
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

  test('a path across two pages, and a path that ends with the last mapped page', () => {
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

  test('why memory stays out of reach is passed on', () => {
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
      if (isAbsent(value)) expect(value.absent).toMatch(/failed|limit|unsupported/);
  },
);
