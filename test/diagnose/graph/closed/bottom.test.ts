import { fc, test as property } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import { bottom } from '../../../../src/diagnose/graph/closed/bottom.js';
import type { Exploration } from '../../../../src/diagnose/graph/explore.js';

function graphOf(pids: number[], edges: [number, number][]): Exploration {
  return sharedGraphOf(
    pids,
    edges.map(([from, to]) => [from, [to]]),
  );
}

function sharedGraphOf(pids: number[], edges: (readonly [number, readonly number[]])[]): Exploration {
  const task = (pid: number) => ({ process: { pid } }) as Exploration['edges'][number]['from'];
  return {
    outlooks: new Map(pids.map((pid) => [pid, []])),
    steps: new Map(),
    edges: edges.map(([from, to]) => ({ from: task(from), to, via: 'pipe' })),
    ends: [],
  };
}

/** The same in the simplest way: of the sets that can be reached from each process, the first of the smallest. */
function smallestReach(pids: number[], edges: [number, number][]): Set<number> {
  let smallest = new Set(pids);
  for (const pid of pids) {
    const seen = new Set([pid]);
    for (const at of seen) for (const [from, to] of edges) if (from === at && pids.includes(to)) seen.add(to);
    if (seen.size < smallest.size) smallest = seen;
  }
  return smallest;
}

const pid = fc.integer({ min: 1, max: 12 });

property.prop([fc.uniqueArray(pid, { minLength: 1 }), fc.array(fc.tuple(pid, pid), { maxLength: 40 })])(
  'the set at the bottom is the smallest that no path leaves',
  (pids, edges) => {
    const known = edges.filter(([from]) => pids.includes(from));
    const expected = smallestReach(pids, known);
    const found = bottom(graphOf(pids, known));
    expect(found.size).toBe(expected.size);
    for (const at of found) expect(smallestReach([...found], known)).toContain(at);
    for (const [from, to] of known) if (found.has(from) && pids.includes(to)) expect(found).toContain(to);
  },
);

const list = fc.array(pid, { minLength: 1, maxLength: 8 });

property.prop([
  fc.uniqueArray(pid, { minLength: 1 }),
  fc.array(list, { minLength: 1, maxLength: 4 }),
  fc.array(fc.tuple(pid, fc.nat()), { maxLength: 30 }),
])('a list that several lead to is the same as edges of their own', (pids, lists, leads) => {
  const shared = leads
    .filter(([from]) => pids.includes(from))
    .map(([from, index]) => [from, lists[index % lists.length] ?? []] as const);
  const own = shared.flatMap(([from, to]) => to.map((pid): [number, number] => [from, pid]));
  expect([...bottom(sharedGraphOf(pids, shared))]).toEqual([...bottom(graphOf(pids, own))]);
});

test('a long chain, and many that all wait for each other, are no trouble', () => {
  const many = Array.from({ length: 4000 }, (_, index) => index + 1);
  const chain = many.slice(1).map((to): [number, number] => [to - 1, to]);
  expect([...bottom(graphOf(many, chain))]).toEqual([4000]);
  const few = many.slice(0, 400);
  const all = few.flatMap((from) => few.map((to): [number, number] => [from, to]));
  expect(bottom(graphOf(few, all)).size).toBe(400);
});
