import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import type { HotspotLayout } from '../../../../../src/probe/linux/runtimes/java/layout.js';
import {
  base,
  idLayout,
  machine,
  monitorAt,
  pointerLayout,
  threadAt,
  threadsOf,
} from '../hand-made-machine.js';
import { context } from '../hand-made-memory.js';

/** Index of the thread that is in monitor 0, or null. */
function owner(memory: ReturnType<typeof machine>, layout: HotspotLayout): number | null {
  const threads = threadsOf(memory, layout);
  const found = threads?.owners().of(monitorAt(0)) ?? null;
  return found === null ? null : (threads?.addresses.indexOf(found) ?? null);
}

const stacks: [bigint, bigint][] = [
  [0x7f00_0000n, 0x7f01_0000n],
  [0x7f02_0000n, 0x7f03_0000n],
];
const two = stacks.map((stack, index) => ({ tid: 101 + index, stack }));

describe('the owner of a Java monitor, by pointer', () => {
  test.each([
    ['no thread', 0n, null],
    ['a thread', threadAt(1), 1],
    ['an address on a stack', 0x7f02_0000n, 1],
    ['the last one on a stack', 0x7f00_ffffn, 0],
    ['the end of a stack', 0x7f03_0000n, null],
    ['between two stacks', 0x7f01_8000n, null],
    ['a monitor that is being taken away', 1n, null],
    ['anything else', 0xdead_beefn, null],
  ])('%s', (_, value, expected) => {
    expect(owner(machine(two, [value]), pointerLayout)).toBe(expected);
  });

  test('on two stacks at once: misread', () => {
    const both = [two[0], { tid: 103, stack: stacks[0] }] as typeof two;
    expect(owner(machine(both, [0x7f00_1000n]), pointerLayout)).toBeNull();
  });
});

describe('the owner of a Java monitor, by thread id', () => {
  const threads = [
    { tid: 101, id: 3n, locked: [5, 0] },
    { tid: 102, id: 31n },
    { tid: 103, id: 32n, locked: [6] },
  ];

  test.each([
    ['no thread', 0n, null],
    ['a thread', 31n, 1],
    ['a thread that is not there', 77n, null],
    ['a monitor that is being taken away', 2n, null],
    ['the thread that has the object', 1n, 0],
  ])('%s', (_, value, expected) => {
    expect(owner(machine(threads, [value]), idLayout)).toBe(expected);
  });

  test.each([13n, 14n, 15n, 16n])('the thread that has the object, with %s bits of flags', (flags) => {
    expect(owner(machine(threads, [1n], flags), idLayout)).toBe(0);
  });

  test('no thread has the object, or two have it', () => {
    expect(owner(machine(threads.slice(1), [1n]), idLayout)).toBeNull();
    expect(owner(machine([...threads, { tid: 104, id: 33n, locked: [0] }], [1n]), idLayout)).toBeNull();
  });

  test('the same number twice', () => {
    expect(owner(machine([...threads, { tid: 104, id: 31n }], [31n]), idLayout)).toBeNull();
  });

  test('a machine without lock stacks does not guess', () => {
    expect(owner(machine(threads, [1n]), { ...idLayout, lockStack: null })).toBeNull();
  });
});

describe('memory that is no Java machine', () => {
  const garbage = fc.uint8Array({ minLength: 64, maxLength: 2048 });
  property.prop([garbage, fc.constantFrom(idLayout, pointerLayout)])(
    'has at most 4096 threads, whatever the bytes',
    (bytes, layout) => {
      const { memory } = context([], [base, Buffer.from(bytes)]);
      const threads = threadsOf(memory, layout);
      for (const thread of threads?.addresses ?? []) {
        threads?.tid(thread);
        threads?.owners().of(threads.pendingMonitor(thread) ?? base);
      }
      expect(threads === null || threads.addresses.length <= 4096).toBe(true);
    },
  );
});
