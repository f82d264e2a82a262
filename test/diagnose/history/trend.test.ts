import { describe, expect, it } from 'vitest';
import { outliersOf, trendOf, trendWords } from '../../../src/diagnose/history/trend.js';
import { simulate, simulatedRun } from './simulated.js';

const runsOf = (durations: readonly number[]) => durations.map((ms, at) => simulatedRun(ms, 0, at));
const noisy = (seed: number, count: number, times = 1) =>
  simulate('normal, 10 %', seed, count).map((ms) => ms * times);

describe('a trend', () => {
  it.each([
    [1.3, 'slower'],
    [0.6, 'faster'],
  ] as const)('%s times as long is found, with the run where it began', (times, word) => {
    for (let seed = 1; seed <= 20; seed++) {
      const runs = runsOf([...noisy(seed, 40), ...noisy(seed + 1000, 20, times)]);
      const trend = trendOf(runs);
      expect(trend?.ratio).toBeGreaterThan(times - 0.12);
      expect(trend?.ratio).toBeLessThan(times + 0.12);
      const since = runs.findIndex(({ startedAt }) => startedAt === trend?.since);
      expect(Math.abs(since - 40)).toBeLessThanOrEqual(6);
      expect(trendWords(trend ?? { ratio: 1, since: '' }, Date.now())).toMatch(
        new RegExp(`^${word} by \\d+ % since `),
      );
    }
  });

  it('chance is no trend, nor are few runs or a small change', () => {
    const found = Array.from({ length: 100 }, (_, seed) => trendOf(runsOf(noisy(seed, 60)))).filter(Boolean);
    expect(found).toHaveLength(0);
    expect(trendOf(runsOf([...noisy(1, 7), ...noisy(2, 7, 3)]))).toBeNull();
    expect(trendOf(runsOf([...Array(30).fill(1000), ...Array(30).fill(1050)]))).toBeNull();
    expect(trendOf([])).toBeNull();
  });

  it('names the day within a week, else the date', () => {
    const since = '2026-11-10T12:00:00.000Z';
    expect(trendWords({ ratio: 1.3, since }, Date.parse('2026-11-12T12:00:00Z'))).toBe(
      'slower by 30 % since Tuesday',
    );
    expect(trendWords({ ratio: 0.5, since }, Date.parse('2026-12-12T12:00:00Z'))).toBe(
      'faster by 50 % since 2026-11-10',
    );
  });
});

it('an outlier is far from the other runs', () => {
  const runs = runsOf([...noisy(3, 30), 2_000_000]);
  expect([...outliersOf(runs)]).toEqual([runs.at(-1)?.id]);
  expect(outliersOf(runs.slice(-5)).size).toBe(0);
  expect(outliersOf(runsOf([...Array(20).fill(1000), 1020])).size).toBe(0);
});
