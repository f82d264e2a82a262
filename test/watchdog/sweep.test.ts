import { expect, it } from 'vitest';
import { Sweep, type Swept } from '../../src/watchdog/sweep.js';
import { FakeClock } from './fake-clock.js';

class Entry implements Swept {
  dueMs: number;
  readonly late: number[] = [];
  readonly everyMs: number;

  constructor(everyMs: number) {
    this.everyMs = everyMs;
    this.dueMs = everyMs;
  }

  sweep(lateMs: number): void {
    this.late.push(lateMs);
    this.dueMs += this.everyMs;
  }
}

it('500 watchdogs share a single timer', () => {
  const clock = new FakeClock();
  const sweep = new Sweep(clock);
  const entries = Array.from({ length: 500 }, () => new Entry(10_000));
  for (const entry of entries) sweep.add(entry);
  expect(clock.timers).toBe(1);
  clock.pass(60_000);
  for (const { late } of entries) expect(late).toEqual([0, 0, 0, 0, 0, 0]);
  expect(clock.timersSet).toBe(7);
  for (const entry of entries) sweep.remove(entry);
  expect(clock.timers).toBe(0);
});

it('each watchdog is polled at its own interval, and gets the delay of a late poll', () => {
  const clock = new FakeClock();
  const sweep = new Sweep(clock);
  const often = new Entry(10);
  const seldom = new Entry(1000);
  sweep.add(seldom);
  sweep.add(often);
  clock.pass(1000);
  expect([often.late.length, seldom.late.length]).toEqual([100, 1]);
  clock.lose(500);
  clock.pass(0);
  expect(often.late[100]).toBe(490);
});

it('a watchdog that fails does not affect the others', () => {
  const clock = new FakeClock();
  const sweep = new Sweep(clock);
  const bad = {
    dueMs: 10,
    sweep() {
      this.dueMs = Number.POSITIVE_INFINITY;
      throw new Error('a bug');
    },
  };
  const good = new Entry(20);
  sweep.add(bad);
  sweep.add(good);
  expect(() => clock.pass(10)).toThrow('a bug');
  clock.pass(30);
  expect(good.late).toHaveLength(2);
});
