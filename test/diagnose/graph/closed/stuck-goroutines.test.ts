import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { stuckGoroutines, unwakeable } from '../../../../src/diagnose/graph/closed/stuck-goroutines.js';
import type { GoroutineGraph, ParkedGoroutine } from '../../../../src/model/facts/goroutines.js';

const goroutine = (
  id: number,
  reason: string,
  awaits: string[] | null,
  reaches: string[],
): ParkedGoroutine => ({
  ...{ id, reason, awaits, reaches },
  ...{ sinceMs: null, at: null },
});

const ids = (graph: GoroutineGraph): number[][] =>
  stuckGoroutines(graph).map((set) => set.map(({ id }) => id));

const crossed = [
  goroutine(6, 'semacquire', ['0xa'], ['0xa', '0xb']),
  goroutine(7, 'semacquire', ['0xb'], ['0xa', '0xb']),
];

describe('goroutines that wait for each other beside others that go on', () => {
  it('are a single set, whatever else is parked', () => {
    const idle = goroutine(9, 'chan receive', ['0xc'], ['0xc']);
    expect(ids({ parked: [...crossed, idle], reached: ['0xc'] })).toEqual([[6, 7]]);
  });

  it('there is no set when a running goroutine leads to one of their locks, and the woken goroutine to the other', () => {
    expect(ids({ parked: crossed, reached: ['0xa'] })).toEqual([]);
  });

  it('there is no set when the wait of one of them is unknown', () => {
    expect(ids({ parked: [goroutine(6, 'select', null, ['0xa', '0xb']), ...crossed], reached: [] })).toEqual(
      [],
    );
  });

  it('do not include workers and senders that were given up', () => {
    const workers = [8, 9].map((id) => goroutine(id, 'chan receive', ['0xc'], ['0xc']));
    const senders = [10, 11].map((id) => goroutine(id, 'chan send', ['0xd'], ['0xd']));
    expect(ids({ parked: [...workers, ...senders], reached: [] })).toEqual([]);
  });

  it('may wait for channels, if each would have to use the channel of the other', () => {
    const parked = [
      goroutine(8, 'chan send', ['0xc'], ['0xc', '0xd']),
      goroutine(9, 'chan send', ['0xd'], ['0xc', '0xd']),
    ];
    expect(ids({ parked, reached: [] })).toEqual([[8, 9]]);
  });

  it('include main in whatever it waits, if others that are stuck could wake it', () => {
    const parked = [
      goroutine(1, 'sync.WaitGroup.Wait', ['0xc'], ['0xc']),
      goroutine(8, 'select', ['0xd'], ['0xc', '0xd']),
    ];
    expect(ids({ parked, reached: [] })).toEqual([[1, 8]]);
  });

  it('do not include a main that waits alone: other goroutines do the work of the program', () => {
    for (const reason of ['chan receive', 'select', 'sync.WaitGroup.Wait'])
      expect(ids({ parked: [goroutine(1, reason, ['0xc'], ['0xc'])], reached: [] }), reason).toEqual([]);
    expect(ids({ parked: [goroutine(1, 'semacquire', ['0xc'], ['0xc'])], reached: [] })).toEqual([[1]]);
  });

  it('do not include workers that were given up, nor the goroutine that would close their channel', () => {
    const workers = [8, 9].map((id) => goroutine(id, 'chan send', ['0xc'], ['0xc', '0xd']));
    const closer = goroutine(10, 'sync.WaitGroup.Wait', ['0xd'], ['0xc', '0xd']);
    expect(ids({ parked: [...workers, closer], reached: [] })).toEqual([]);
  });
});

const things = fc.subarray(['0xa', '0xb', '0xc', '0xd']);
const reasons = fc.constantFrom('semacquire', 'chan send', 'chan receive', 'select', 'sync.Cond.Wait');
const graphs = fc.record({
  parked: fc
    .array(
      fc.record({
        reason: reasons,
        awaits: fc.option(things.filter((all) => all.length > 0)),
        reaches: things,
      }),
      {
        maxLength: 8,
      },
    )
    .map((all) =>
      all.map(({ reason, awaits, reaches }, index) => goroutine(index + 1, reason, awaits, reaches)),
    ),
  reached: things,
});
const deadIn = (graph: GoroutineGraph): Set<number> => new Set(unwakeable(graph).map(({ id }) => id));

describe('for every graph of goroutines', () => {
  test.prop([graphs, fc.constantFrom('0xa', '0xb', '0xc', '0xd')])(
    'a goroutine that may still run and reaches an object frees all that wait for it',
    ({ parked, reached }, thing) => {
      const after = unwakeable({ parked, reached: [...reached, thing] });
      expect(after.some(({ awaits }) => awaits?.includes(thing))).toBe(false);
      const before = deadIn({ parked, reached });
      expect(after.every(({ id }) => before.has(id))).toBe(true);
    },
  );

  test.prop([graphs, fc.nat()])('a fact that is missing never makes more of them stuck', (graph, index) => {
    const before = deadIn(graph);
    const parked = graph.parked.map((one, at) =>
      at === index % graph.parked.length ? { ...one, awaits: null } : one,
    );
    const after = deadIn({ ...graph, parked });
    expect([...after].every((id) => before.has(id))).toBe(true);
  });

  test.prop([graphs])(
    'no stuck goroutine waits for an object that a running or woken goroutine reaches',
    (graph) => {
      const dead = deadIn(graph);
      const open = new Set([
        ...graph.reached,
        ...graph.parked.filter(({ id }) => !dead.has(id)).flatMap(({ reaches }) => reaches),
      ]);
      for (const { id, awaits } of graph.parked)
        if (dead.has(id)) expect(awaits?.some((thing) => open.has(thing))).toBe(false);
    },
  );
});
