import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Deadlines } from '../../src/run/deadlines.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});

afterEach(() => {
  vi.useRealTimers();
});

function start(limits: { timeoutMs?: number; idleTimeoutMs?: number }) {
  const reached: string[] = [];
  const clock = { lastOutputMs: performance.now() };
  const deadlines = new Deadlines({
    timeoutMs: 0,
    idleTimeoutMs: 0,
    ...limits,
    lastOutputMs: () => clock.lastOutputMs,
    reached: (outcome, reason) => reached.push(`${outcome}: ${reason}`),
  });
  return { reached, clock, deadlines };
}

describe('limits', () => {
  it('0 is no limit', () => {
    const { reached } = start({});
    vi.advanceTimersByTime(10 * 24 * 3_600_000);
    expect(reached).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('a timeout counts from the start, output or not', () => {
    const { reached, clock } = start({ timeoutMs: 60_000 });
    vi.advanceTimersByTime(59_000);
    clock.lastOutputMs = performance.now();
    expect(reached).toEqual([]);
    vi.advanceTimersByTime(1100);
    expect(reached).toEqual(['timeout: it ran for 1 min (--timeout)']);
  });

  it('an idle timeout counts from the last output', () => {
    const { reached, clock } = start({ idleTimeoutMs: 10_000 });
    for (let i = 0; i < 20; i += 1) {
      vi.advanceTimersByTime(9000);
      clock.lastOutputMs = performance.now();
    }
    expect(reached).toEqual([]);
    vi.advanceTimersByTime(10_100);
    expect(reached).toEqual(['idle-timeout: no output for 10 s (--idle-timeout)']);
  });

  it('limits longer than a timer can be', () => {
    const { reached } = start({ timeoutMs: 30 * 24 * 3_600_000 });
    vi.advanceTimersByTime(29 * 24 * 3_600_000);
    expect(reached).toEqual([]);
    vi.advanceTimersByTime(24 * 3_600_000 + 100);
    expect(reached).toHaveLength(1);
  });

  it('cleared, nothing is ever reached', () => {
    const { reached, deadlines } = start({ timeoutMs: 1000, idleTimeoutMs: 1000 });
    deadlines.clear();
    vi.advanceTimersByTime(60_000);
    expect(reached).toEqual([]);
  });
});
