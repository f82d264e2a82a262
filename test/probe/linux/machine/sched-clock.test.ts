import { expect, test } from 'vitest';
import { SchedClock, type SchedMeter } from '../../../../src/probe/linux/machine/sched-clock.js';

/** A machine whose CPU 1 is 900 ms ahead of CPU 0; only the CPUs in `reachable` can be run on. */
function machine(reachable: number[]): { meter: SchedMeter; moves: number[]; nowOn(cpu: number): number } {
  const moves: number[] = [];
  const aheadMs = (cpu: number) => 5000 + cpu * 900;
  const offset = (cpu: number) => ({ cpu, aheadMs: aheadMs(cpu), atMs: performance.now() });
  const on = (cpu: number) => {
    moves.push(cpu);
    return reachable.includes(cpu) ? offset(cpu) : null;
  };
  return { meter: { here: () => offset(0), on }, moves, nowOn: (cpu) => performance.now() + aheadMs(cpu) };
}

test('a time of another CPU is compared with the clock of that CPU', () => {
  const { meter, moves, nowOn } = machine([0, 1]);
  const clock = new SchedClock(meter, new Map());
  // Asleep for 100 ms: by the clock of CPU 0 these would be 0 or 1000 ms.
  const lastRanMs = nowOn(1) - 100;
  expect((clock.nowMs(1) ?? 0) - lastRanMs).toBeGreaterThanOrEqual(100);
  expect((clock.nowMs(1) ?? 0) - lastRanMs).toBeLessThan(600);
  expect(moves).toEqual([1]);
});

test('the clock of a CPU that cannot be run on is not known', () => {
  const { meter } = machine([0]);
  const clock = new SchedClock(meter, new Map());
  expect(clock.nowMs(1)).toBeNull();
  expect(clock.nowMs(0)).not.toBeNull();
});

test('a snapshot moves to a few CPUs only, and the next snapshots know their clocks', () => {
  const all = Array.from({ length: 64 }, (_, cpu) => cpu);
  const { meter, moves } = machine(all);
  const offsets = new Map();
  const first = new SchedClock(meter, offsets);
  const known = all.filter((cpu) => first.nowMs(cpu) !== null);
  expect(moves.length).toBeLessThan(10);
  expect(known.length).toBe(moves.length + 1);
  const later = new SchedClock(meter, offsets);
  expect(known.every((cpu) => later.nowMs(cpu) !== null)).toBe(true);
});
