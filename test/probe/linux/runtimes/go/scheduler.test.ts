import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { isAbsent } from '../../../../../src/model/facts/absence.js';
import type { ThreadFacts } from '../../../../../src/model/facts/snapshot.js';
import type { GoPlaces } from '../../../../../src/probe/linux/runtimes/go/places.js';
import { parseGoroutines } from '../../../../../src/probe/linux/runtimes/go/scheduler.js';
import { context } from '../hand-made-memory.js';
import {
  first,
  listAt,
  type Made,
  type Making,
  memoryOf,
  reason,
  state,
  tableAt,
  waiters,
} from './hand-made-goroutines.js';

const places: GoPlaces = { goroutines: listAt, reasons: tableAt, signals: 0x6000 };

const facts = (made: readonly Made[], making?: Making) => parseGoroutines(memoryOf(made, making), places, []);

function looked(made: readonly Made[], making?: Making): number {
  const known = facts(made, making);
  return isAbsent(known) ? 0 : known.waits.reduce((sum, { count }) => sum + count, 0);
}

describe('the scheduler of a Go program', () => {
  property.prop([fc.integer({ min: 8, max: 59 })])(
    'goroutines are counted wherever a version has put the fields',
    (step) => {
      const made: Made[] = [...first, ...waiters(1), [state.running, 90, 6], [state.inCall, 91, 5]];
      expect(facts(made, { fieldsAt: [step * 8] })).toEqual({
        waits: [
          { reason: 'chan receive', count: 1 },
          { reason: 'force gc (idle)', count: 1 },
          { reason: 'GC sweep wait', count: 1 },
          { reason: 'semacquire', count: 1 },
        ],
        running: 1,
        inCalls: 1,
        signals: null,
        unread: 0,
      });
    },
  );

  test('the garbage collector may scan a stack; a dead goroutine does not count', () => {
    const scanned: Made = [0x1000 | state.waiting, 18, reason.semacquire];
    const known = facts([...first, scanned, [state.dead, 0, 0], [state.deadExtra, 21, 0]]);
    expect(known).toMatchObject({ running: 0, inCalls: 0 });
    expect(known).toHaveProperty('waits.3', { reason: 'semacquire', count: 1 });
  });

  test.each<[about: string, made: Made[], making?: Making]>([
    ['the first one is not main', [[state.waiting, 7, 5], ...first.slice(1)]],
    ['two have the same number', [...first, [state.waiting, 3, 6]]],
    ['a state that does not exist', [...first, [77, 18, 6]]],
    ['a wait for no reason', [...first, [state.waiting, 18, 0]]],
    ['a reason without a name', [...first, [state.waiting, 18, 99]]],
    ['none of the runtime is there', [...first.slice(0, 1), ...waiters(5)]],
    ['the fields might be in two places', first, { fieldsAt: [144, 304] }],
  ])('no proof, no facts: %s', (_, made, making) => {
    expect(facts(made, making)).toEqual({ absent: 'unsupported' });
  });

  test('an entry that cannot be a goroutine makes the count unknown', () => {
    expect(facts([...first, ...waiters(30), [77, 99, 6]])).toEqual({ absent: 'failed' });
  });

  test('many goroutines are read in pieces, and none is lost between two pieces', () => {
    expect(looked([...first, ...waiters(2000)])).toBe(2003);
  });

  test('of very many goroutines only the first are read, and the others are counted', () => {
    expect(facts([...first, ...waiters(20)], { times: 100_000 })).toMatchObject({ unread: 90_022 });
    expect(looked([...first, ...waiters(20)], { times: 100_000 })).toBe(10_000);
  });

  test('the thread that takes signals is known by where it sleeps', () => {
    const asleep = (tid: number, address: string) =>
      ({ tid, call: { at: 'call', futex: { address } } }) as unknown as ThreadFacts;
    const signalsOf = (...threads: ThreadFacts[]) => parseGoroutines(memoryOf(first), places, threads);
    expect(signalsOf(asleep(9, '0x6004'), asleep(10, '0x6000'))).toMatchObject({ signals: 10 });
    expect(signalsOf(asleep(9, '0x6004'))).toMatchObject({ signals: null });
  });
});

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length }).map(Buffer.from);

describe('memory of any content', () => {
  property.prop([bytes(16), bytes(2048), bytes(320), bytes(4096)], { numRuns: 200 })(
    'is no list of goroutines',
    (...pieces) => {
      const garbage = pieces.map((piece, index): [bigint, Buffer] => [BigInt((index + 1) * 0x1000), piece]);
      expect(isAbsent(parseGoroutines(context([], ...garbage).memory, places, []))).toBe(true);
    },
  );

  property.prop([fc.nat({ max: 40 }), fc.nat(), fc.nat({ max: 255 })], { numRuns: 300 })(
    'a changed byte makes the count unknown, or off by at most one goroutine',
    (count, where, value) => {
      const seen = looked([...first, ...waiters(count)], { spoil: { where, value } });
      expect([0, count + 2, count + 3]).toContain(seen);
    },
  );
});
