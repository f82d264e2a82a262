import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import {
  affords,
  costMsFirst,
  endow,
  inOrder,
  refill,
  type SnapshotBudget,
  snapshotBurstMs,
  snapshotShare,
  snapshotsAtOnceMax,
  spend,
  startBudget,
} from '../../../src/registry/monitor/snapshot-budget.js';
import { urgencies } from '../../../src/run/health/snapshot-policy.js';

const costMsMax = 300;

/** Time passes, a snapshot begins, or the oldest snapshot ends with a cost. */
const step = fc.record({
  what: fc.constantFrom('wait', 'begin', 'begin', 'end'),
  waitMs: fc.nat(1000),
  costMs: fc.double({ min: 0.1, max: costMsMax, noNaN: true }),
});

describe('the budget of all snapshots', () => {
  test.prop([fc.array(step, { minLength: 50, maxLength: 200 })])(
    'over any time not more than its share, the saved budget, and running snapshots',
    (steps) => {
      let budget: SnapshotBudget = startBudget(0);
      let nowMs = 0;
      let going = 0;
      const spent: { atMs: number; costMs: number }[] = [];
      for (const { what, waitMs, costMs } of steps) {
        if (what === 'wait') nowMs += waitMs;
        budget = refill(budget, nowMs);
        if (what === 'begin' && going < snapshotsAtOnceMax && affords(budget, going)) going += 1;
        if (what !== 'end' || going === 0) continue;
        going -= 1;
        budget = spend(budget, costMs);
        spent.push({ atMs: nowMs, costMs });
      }
      for (const [first, { atMs: fromMs }] of spent.entries()) {
        let sum = 0;
        for (const { atMs, costMs } of spent.slice(first)) {
          sum += costMs;
          const most = (atMs - fromMs) * snapshotShare + snapshotBurstMs + snapshotsAtOnceMax * costMsMax;
          expect(sum).toBeLessThanOrEqual(most + 1e-6);
        }
      }
    },
  );

  it('a few runs get snapshots as if each were alone: three in a row for ten runs', () => {
    let budget = startBudget(0);
    for (let tick = 1; tick <= 3; tick += 1) {
      budget = refill(budget, tick * 5000);
      for (let run = 0; run < 10; run += 1) {
        expect(affords(budget, 0)).toBe(true);
        budget = spend(budget, 20);
      }
    }
  });

  it('every run brings the cost of its first snapshot, and that is not lost while it waits', () => {
    let budget = startBudget(0);
    for (let run = 0; run < 200; run += 1) budget = endow(budget);
    budget = refill(budget, 60_000);
    expect(budget.leftMs).toBe(snapshotBurstMs + 200 * costMsFirst);
    for (let run = 0; run < 200; run += 1) {
      expect(affords(budget, 0)).toBe(true);
      budget = spend(budget, costMsFirst);
    }
    expect(refill(budget, 120_000).leftMs).toBe(snapshotBurstMs);
  });

  it('the cost of a snapshot is measured, and counts for snapshots that have begun', () => {
    let budget = startBudget(0);
    for (let look = 0; look < 2; look += 1) budget = spend(budget, 200);
    expect(affords(budget, 0)).toBe(true);
    expect(affords(budget, 3)).toBe(false);
  });
});

describe('which run gets the next snapshot', () => {
  it('the most urgent first, and of those the run that has waited longest', () => {
    const wishes = [
      { id: 1, urgency: 'again', sinceMs: 0 },
      { id: 2, urgency: 'first', sinceMs: 300 },
      { id: 3, urgency: 'first', sinceMs: 200 },
      { id: 4, urgency: 'asked', sinceMs: 400 },
    ] as const;
    expect(inOrder(wishes, 0).map(({ id }) => id)).toEqual([4, 3, 2, 1]);
    // A turn for the run that has waited longest.
    expect(inOrder(wishes, 3).map(({ id }) => id)).toEqual([1, 4, 3, 2]);
  });

  test.prop([
    fc.array(fc.record({ urgency: fc.constantFrom(...urgencies), sinceMs: fc.nat(1000) })),
    fc.nat(),
  ])('every run has exactly one place', (wishes, looks) => {
    const order = inOrder(wishes, looks);
    expect(new Set(order)).toEqual(new Set(wishes));
    expect(order).toHaveLength(wishes.length);
  });

  test.prop([fc.array(fc.constantFrom(...urgencies), { minLength: 1, maxLength: 12 })])(
    'no run waits for ever, whatever the others request again and again',
    (wanted) => {
      const wishes = wanted.map((urgency, id) => ({ id, urgency, sinceMs: 0 }));
      const lastLook = wishes.map(() => 0);
      const looksMax = 300;
      for (let look = 1; look <= looksMax; look += 1) {
        // A single snapshot at a time: the worst case for the last run.
        const [next] = inOrder(wishes, look);
        if (next === undefined) throw new Error('nobody');
        expect(look - (lastLook[next.id] ?? 0)).toBeLessThanOrEqual(4 * (wishes.length + 1));
        lastLook[next.id] = look;
        next.sinceMs = look;
      }
      for (const last of lastLook) expect(looksMax - last).toBeLessThanOrEqual(4 * (wishes.length + 1));
    },
  );
});
