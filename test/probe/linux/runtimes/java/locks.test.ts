import { describe, expect, test } from 'vitest';
import type { Memory } from '../../../../../src/probe/linux/proc/mem.js';
import { HotspotObjects } from '../../../../../src/probe/linux/runtimes/java/objects.js';
import { heapBase, MadeHeap, objectLayout } from '../hand-made-heap.js';
import { machine, pointerLayout, threadAt, threadsOf } from '../hand-made-machine.js';

const locks = 'java/util/concurrent/locks';
const parked = 0x291;
const parkedForAWhile = 0x2a1;
const at = { eetop: 16n, blocker: 24n, status: 32n, holder: 40n, owner: 16n };

interface Options {
  narrow?: boolean;
  /** The state of a thread stands in a part of it, as since JDK 19. */
  parts?: boolean;
}

/** 0 holds the lock that 1 is parked at, and 1 the one that 0 is; 2 is at nothing. */
function made({ narrow = true, parts = false }: Options = {}) {
  const heap = new MadeHeap(narrow);
  const object = heap.klass('java/lang/Object', 0n, []);
  const thread = heap.klass('java/lang/Thread', object, [
    ['eetop', 'J', 16],
    ['parkBlocker', 'Ljava/lang/Object;', 24],
    parts ? ['holder', 'Ljava/lang/Thread$FieldHolder;', 40] : ['threadStatus', 'I', 32],
  ]);
  const part = heap.klass('java/lang/Thread$FieldHolder', object, [['threadStatus', 'I', 32]]);
  const own = heap.klass('app/Worker', thread, []);
  const ownable = heap.klass(`${locks}/AbstractOwnableSynchronizer`, object, [
    ['exclusiveOwnerThread', 'Ljava/lang/Thread;', 16],
  ]);
  const classes = {
    lock: heap.klass(`${locks}/ReentrantLock$NonfairSync`, ownable, []),
    readWrite: heap.klass(`${locks}/ReentrantReadWriteLock$FairSync`, ownable, []),
    condition: heap.klass(`${locks}/AbstractQueuedSynchronizer$ConditionObject`, object, []),
    others: heap.klass('app/Mutex', ownable, []),
  };
  const threads = [thread, own, thread].map((klass) => heap.object(klass));
  const handles = threads.map((one) => heap.handle(one));
  const status = (index: number, value: number): void => {
    const one = threads[index] ?? 0n;
    const holder = heap.object(part);
    if (parts) heap.refer(one + at.holder, holder);
    heap.put32((parts ? holder : one) + at.status, value);
  };
  for (const [index, one] of threads.entries()) heap.put(one + at.eetop, threadAt(index));
  const park = (index: number, klass: bigint, owner: bigint): bigint => {
    const blocker = heap.object(klass);
    heap.refer((threads[index] ?? 0n) + at.blocker, blocker);
    heap.refer(blocker + at.owner, owner);
    status(index, parked);
    return blocker;
  };
  const first = park(0, classes.lock, threads[1] ?? 0n);
  const second = park(1, classes.readWrite, threads[0] ?? 0n);
  const memory = machine(
    handles.map((handle, index) => ({ tid: 101 + index, handle })),
    [],
    0n,
    [heapBase, heap.bytes],
  );
  return { heap, memory, classes, threads, handles, status, park, first, second };
}

function locksIn(memory: Memory) {
  const objects = HotspotObjects.read(memory, objectLayout, heapBase);
  const all = threadsOf(memory, pointerLayout, objects);
  return { of: all?.locks ?? null, addresses: all?.addresses ?? [] };
}

function prove(memory: Memory): number[] | null {
  const { of, addresses } = locksIn(memory);
  return of === null ? null : [...of.prove(addresses).keys()].map((one) => addresses.indexOf(one));
}

describe('waiters and owners of java.util.concurrent locks', () => {
  test.each<Options>([{}, { narrow: false }, { parts: true }, { narrow: false, parts: true }])(
    'the owner is named: %o',
    (options) => {
      const { memory, first, second } = made(options);
      const { of, addresses } = locksIn(memory);
      expect([...(of?.prove(addresses) ?? [])]).toEqual([
        [threadAt(0), { type: 'ReentrantLock', address: first, owner: threadAt(1) }],
        [threadAt(1), { type: 'ReentrantReadWriteLock', address: second, owner: threadAt(0) }],
      ]);
    },
  );

  test('a wait with a timeout does not count, nor a wait that is over', () => {
    for (const parts of [false, true]) {
      for (const value of [parkedForAWhile, 0x5, 0]) {
        const { memory, status } = made({ parts });
        status(0, value);
        expect(prove(memory), `${value}`).toEqual([1]);
      }
    }
  });

  test('a condition has no owner; a class of the program may have other rules', () => {
    for (const kind of ['condition', 'others'] as const) {
      const { memory, park, threads, classes } = made();
      park(0, classes[kind], threads[1] ?? 0n);
      expect(prove(memory), kind).toEqual([1]);
    }
  });

  test('no thread owns the lock, or a thread without a known id', () => {
    const { memory, heap, threads, first, second } = made();
    heap.refer(first + at.owner, 0n);
    expect(prove(memory)).toEqual([1]);
    heap.put((threads[0] ?? 0n) + at.eetop, 0n);
    heap.refer(second + at.owner, threads[0] ?? 0n);
    expect(prove(memory)).toEqual([]);
  });

  test('an owner that its thread does not know, or that is no thread at all', () => {
    const { memory, heap, threads, handles, first } = made();
    heap.put(handles[1] ?? 0n, threads[2] ?? 0n);
    expect(prove(memory)).toEqual([]);
    heap.put(handles[1] ?? 0n, threads[1] ?? 0n);
    heap.refer(first + at.owner, first);
    expect(prove(memory)).toEqual([1]);
  });

  test('a waiter whose object names another thread', () => {
    const { memory, heap, threads } = made();
    heap.put((threads[0] ?? 0n) + at.eetop, threadAt(2));
    expect(prove(memory)).toEqual([]);
  });

  test('nothing while the heap is collected, or when it was meanwhile', () => {
    const { memory, heap } = made();
    heap.collecting = true;
    expect(prove(memory)).toEqual([]);
    heap.collecting = false;
    expect(prove(memory)).toEqual([0, 1]);
    const { of, addresses } = locksIn(memory);
    const guess = of?.guess.bind(of) ?? (() => new Map());
    Object.assign(of ?? {}, {
      guess: (threads: bigint[]) => {
        heap.collect();
        return guess(threads);
      },
    });
    expect([...(of?.prove(addresses) ?? [1])]).toEqual([]);
  });

  test('what is not the same at the second reading is left out', () => {
    const { memory, heap, threads, first } = made();
    const { of, addresses } = locksIn(memory);
    const guess = of?.guess.bind(of) ?? (() => new Map());
    Object.assign(of ?? {}, {
      guess: (asked: bigint[]) => {
        const found = guess(asked);
        heap.refer(first + at.owner, threads[2] ?? 0n);
        return found;
      },
    });
    expect([...(of?.prove(addresses).keys() ?? [])]).toEqual([threadAt(1)]);
  });

  test('another collector, compact headers, an invalid flag', () => {
    const cases: [place: number, value: number][] = [
      [0x03, 0],
      [0x04, 1],
      [0x05, 1],
      [0x00, 7],
      [0x01, 7],
    ];
    for (const [place, value] of cases) {
      const { memory, heap } = made();
      heap.flag(place, value);
      expect(prove(memory), `${place}`).toBeNull();
    }
  });
});
