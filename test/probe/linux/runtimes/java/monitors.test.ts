import { describe, expect, test } from 'vitest';
import type { ThreadFacts } from '../../../../../src/model/facts/snapshot.js';
import {
  findMonitors,
  type Sources,
  withMonitors,
} from '../../../../../src/probe/linux/runtimes/java/monitors.js';
import {
  type MadeThread,
  machine,
  monitorAt,
  pointerLayout,
  threadAt,
  threadsOf,
} from '../hand-made-machine.js';

const address = (index: number): string => `0x${monitorAt(index).toString(16)}`;

/** 101 is in 0 and wants 1; 102 is in 1 and wants 0; 103 wants 0, too, and 104 has just got into 2. */
const threads: MadeThread[] = [
  { tid: 101, pending: 1 },
  { tid: 102, pending: 0 },
  { tid: 103, pending: 0 },
  { tid: 104, pending: 2 },
];
const owners = [threadAt(0), threadAt(1), threadAt(3)];
const memory = machine(threads, owners);

/** All asleep for good. */
const still: Sources = {
  threads: () => threadsOf(memory, pointerLayout),
  tidOf: (inner) => inner,
  counter: (tid) => `${tid}`,
  isAsleep: () => true,
};

const circle: [number, { address: string; owner: number }][] = [
  [101, { address: address(1), owner: 102 }],
  [102, { address: address(0), owner: 101 }],
  [103, { address: address(0), owner: 101 }],
];

const find = (sources: Partial<Sources> = {}) => [...findMonitors({ ...still, ...sources })];

/** The counter of `tid` moves on at every look of the first `looks`. */
function running(tid: number, looks = Number.POSITIVE_INFINITY): Sources['counter'] {
  let count = 0;
  return (asked) => {
    if (asked !== tid) return `${asked}`;
    count += 1;
    return `${Math.min(count, looks)}`;
  };
}

/** Each read finds the next of these; the last one stays. */
function changing(...machines: [MadeThread[], bigint[]][]): Sources['threads'] {
  const memories = machines.map(([made, words]) => machine(made, words));
  return () => threadsOf((memories.length > 1 ? memories.shift() : memories[0]) ?? memory, pointerLayout);
}

describe('monitors at the same moment', () => {
  test('waiters and owners; a thread that has just entered waits for no thread', () => {
    expect(find()).toEqual(circle);
  });

  test('a thread that ran while its monitor was read is left out', () => {
    expect(find({ counter: running(102) })).toEqual([circle[0], circle[2]]);
    expect(find({ counter: running(103) })).toEqual(circle.slice(0, 2));
  });

  test('a thread that ran only at the first try is included', () => {
    expect(find({ counter: running(102, 3) })).toEqual(circle);
    expect(find({ counter: running(103, 3) })).toEqual(circle);
  });

  test('a thread on the CPU, or without a counter, is left out', () => {
    expect(find({ isAsleep: (tid) => tid !== 101 })).toEqual(circle.slice(1));
    expect(find({ counter: () => null })).toEqual([]);
  });

  test('a thread that has left the list since is left out', () => {
    const left: [MadeThread[], bigint[]] = [threads.slice(0, 2), owners];
    const all: [MadeThread[], bigint[]] = [threads, owners];
    expect(find({ threads: changing(all, all, all, all, left) })).toEqual(circle.slice(0, 2));
  });

  test('two moments make no cycle: 101 waits for 102, and later 102 for 101', () => {
    const [first, second, third] = [{ tid: 101 }, { tid: 102 }, { tid: 103 }];
    const early: [MadeThread[], bigint[]] = [
      [{ ...first, pending: 1 }, { ...second, pending: 0 }, third],
      [threadAt(2), threadAt(1)],
    ];
    const later: [MadeThread[], bigint[]] = [
      [first, { ...second, pending: 0 }, third],
      [threadAt(0), 0n],
    ];
    const last: [MadeThread[], bigint[]] = [
      [{ ...first, pending: 1 }, second, third],
      [0n, threadAt(1)],
    ];
    expect(find({ threads: changing(early, later, later, last, last) })).toEqual([
      [103, null],
      [102, { address: address(0), owner: 101 }],
    ]);
  });

  test('a thread that waits for no monitor is marked so, an unknown thread is left out', () => {
    const some: MadeThread[] = [{ tid: 101, pending: 1 }, { tid: 102 }, { tid: 103, pending: 0 }];
    const made = machine(some, [threadAt(1), threadAt(1)]);
    expect(find({ threads: () => threadsOf(made, pointerLayout), counter: running(103) })).toEqual([
      [102, null],
      [101, { address: address(1), owner: 102 }],
    ]);
  });

  test('pids of an inner namespace become ours; an unknown pid is no thread', () => {
    expect(find({ tidOf: (inner) => (inner === 103 ? null : inner + 5000) })).toEqual([
      [5101, { address: address(1), owner: 5102 }],
      [5102, { address: address(0), owner: 5101 }],
    ]);
  });
});

describe('the monitor of a thread', () => {
  const facts = { tid: 101, name: 'main' } as ThreadFacts;
  const one = { address: '0x10', owner: 102 };

  test('is kept when both collects saw the same', () => {
    const seen = new Map([[101, one]]);
    expect(withMonitors([facts], seen, new Map([[101, { ...one }]]))).toEqual([{ ...facts, monitor: one }]);
    for (const later of [
      { ...one, owner: 103 },
      { ...one, address: '0x20' },
    ]) {
      expect(withMonitors([facts], seen, new Map([[101, later]]))).toEqual([facts]);
    }
    expect(withMonitors([facts], seen, new Map())).toEqual([facts]);
    expect(withMonitors([facts], new Map([[7, one]]), seen)).toEqual([facts]);
  });

  test('a thread without a monitor is marked so only if both reads found none', () => {
    const free = new Map([[101, null]]);
    expect(withMonitors([facts], free, free)).toEqual([{ ...facts, monitorless: true }]);
    for (const later of [new Map(), new Map([[101, one]])])
      expect(withMonitors([facts], free, later)).toEqual([facts]);
    expect(withMonitors([facts], new Map([[101, one]]), free)).toEqual([facts]);
  });

  test('a lock whose object was moved has the later address, if owner and kind are the same', () => {
    const lock = { ...one, type: 'ReentrantLock' } as const;
    const moved = { ...lock, address: '0x20' };
    const seen = new Map([[101, lock]]);
    expect(withMonitors([facts], seen, new Map([[101, moved]]))).toEqual([{ ...facts, monitor: moved }]);
    for (const later of [
      one,
      { ...moved, owner: 103 },
      { ...moved, type: 'ReentrantReadWriteLock' } as const,
    ])
      expect(withMonitors([facts], seen, new Map([[101, later]]))).toEqual([facts]);
  });
});
