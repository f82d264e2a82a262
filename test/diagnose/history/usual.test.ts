import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { limitOf as limitWith, quantile, sinceChange } from '../../../src/diagnose/history/spread.js';
import { usualOf as usualWith } from '../../../src/diagnose/history/usual.js';
import { presets } from '../../../src/model/run/health.js';
import type { PastRun } from '../../../src/model/run/past-run.js';
import { distributions, simulate, simulatedRun } from './simulated.js';
import { simulateHang } from './simulated-hang.js';

const limitOf = (seen: readonly number[]) => limitWith(seen, presets.production);
const usualOf = (past: readonly PastRun[]) => usualWith(past, presets.production);

const second = 1000;
const minute = 60 * second;
const runs = (...durations: number[]) => durations.map((ms, at) => simulatedRun(ms, ms / 4, at));
const repeat = (count: number, ms: number) => Array.from({ length: count }, (_, at) => ms + at);

describe('what is usual', () => {
  it('fewer than five successful runs say nothing', () => {
    expect(usualOf(runs(...repeat(4, minute)))).toBeNull();
    const failed: PastRun[] = runs(...repeat(20, minute)).map((run) => ({
      ...run,
      exit: { ...run.exit, code: 1 },
    }));
    expect(usualOf(failed)).toBeNull();
  });

  it('medians, the longest, and three times the longest as the limit', () => {
    expect(usualOf(runs(60_000, 62_000, 61_000, 59_000, 64_000))).toMatchObject({
      duration: { runs: 5, medianMs: 61_000, p95Ms: 63_600, longestMs: 64_000, limitMs: 192_000 },
      silence: { runs: 5, longestMs: 16_000, limitMs: 60_000 },
    });
  });

  it('the silence of a run that was stopped or killed is no habit; that of a failed one is', () => {
    const good = runs(...repeat(6, minute));
    const silent = simulatedRun(60 * minute, 59 * minute, 7);
    const longestOf = (last: PastRun) => usualOf([...good, last])?.silence?.longestMs;
    const stopped = [
      { ...silent, outcome: 'interrupted' as const },
      { ...silent, outcome: 'stuck' as const },
      { ...silent, exit: { code: 137, signal: 'SIGKILL', provenance: 'recorded' as const } },
      { ...silent, exit: { code: 143, signal: null, provenance: 'recorded' as const } },
    ];
    for (const run of stopped) expect(longestOf(run)).toBeLessThan(20 * second);
    expect(longestOf({ ...silent, exit: { ...silent.exit, code: 1 } })).toBe(59 * minute);
  });

  it('a silence that is not known counts only where the run was short', () => {
    const unknown = (ms: number) => ({ ...simulatedRun(ms), longestSilenceMs: null });
    expect(usualOf(Array.from({ length: 5 }, () => unknown(minute + 1)))?.silence).toBeNull();
    expect(usualOf(Array.from({ length: 5 }, () => unknown(9 * second)))?.silence?.longestMs).toBe(9000);
  });

  it('slower or faster habits are learned within ten runs', () => {
    for (const [before, after] of [
      [minute, 20 * minute],
      [20 * minute, minute],
    ] as const) {
      const history = [...repeat(150, before), ...repeat(10, after)];
      const { duration } = usualOf(runs(...history)) ?? {};
      expect(duration?.medianMs).toBeLessThan(after * 1.1);
      expect(duration?.medianMs).toBeGreaterThan(after * 0.9);
      expect(duration?.limitMs).toBe(3 * (duration?.longestMs ?? 0));
      expect(duration?.runs).toBe(10);
    }
  });

  it('runs that are too scattered mean no judgement', () => {
    expect(limitOf([second, 10 * second, 100 * second, 1000 * second, 10_000 * second])).toBeNull();
    expect(limitOf([300 * second, 306 * second, 312 * second, 294 * second, 300 * second])).toBe(
      936 * second,
    );
  });
});

const values = fc.array(fc.double({ min: 0, max: 1e8, noNaN: true }), { minLength: 5, maxLength: 200 });

property.prop([values])('the limit is never inside the range of what was seen', (seen) => {
  const limit = limitOf(seen);
  if (limit === null) return;
  expect(limit).toBeGreaterThanOrEqual(Math.max(60_000, 3 * Math.max(...seen)));
  expect(limit).toBeLessThanOrEqual(Math.max(60_000, 10 * Math.max(...seen)));
});

property.prop([values])('since a change is the end of the values, and at least ten', (seen) => {
  const since = sinceChange(seen);
  expect(since).toEqual(seen.slice(-since.length));
  expect(since.length).toBeGreaterThanOrEqual(Math.min(10, seen.length));
});

property.prop([values, fc.double({ min: 0, max: 1, noNaN: true })])(
  'a quantile lies between two values',
  (seen, share) => {
    const sorted = [...seen].sort((a, b) => a - b);
    const found = quantile(sorted, share);
    expect(found).toBeGreaterThanOrEqual(sorted[0] as number);
    expect(found).toBeLessThanOrEqual(sorted.at(-1) as number);
  },
);

/** `npm run bench history` does the same with 10,000 histories each. */
describe.each(Object.keys(distributions))('a stationary history: %s', (name) => {
  it('fewer than one alarm in a thousand runs, and none inside the range of what was seen', () => {
    let judged = 0;
    let alarms = 0;
    for (let seed = 1; seed <= 60; seed++) {
      const history = simulate(name, seed, 60);
      for (let at = 5; at < history.length; at++) {
        const seen = history.slice(0, at);
        const limit = limitOf(sinceChange(seen));
        const next = history[at] as number;
        judged += 1;
        if (limit !== null && next > 2 * limit) alarms += 1;
        if (limit !== null && next <= Math.max(...sinceChange(seen))) expect(next).toBeLessThan(limit);
      }
    }
    // Three times the rate: so few histories may have more by chance.
    expect(alarms / judged).toBeLessThan(3 / 1000);
  });
});

/** `npm run bench history` does the same with 1,000 hangs each. */
describe.each(Object.keys(distributions))('a run that stops for ever after such a history: %s', (name) => {
  it('is likely stuck after twice the limit and two samples at most, and not before', () => {
    for (let seed = 1; seed <= 24; seed++) {
      const hang = simulateHang(name, seed);
      if (hang === null) continue;
      const { alarmMs, latestMs, longestMs } = hang;
      expect(alarmMs).toBeGreaterThan(latestMs - 10 * second);
      expect(alarmMs).toBeLessThanOrEqual(latestMs);
      expect(latestMs).toBeLessThanOrEqual(Math.max(2 * minute, 20 * longestMs) + 10 * second);
    }
  });
});
