import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { estimateOf, etaErrorOf } from '../../../src/diagnose/history/estimate.js';
import { usualOf } from '../../../src/diagnose/history/usual.js';
import { estimateWords } from '../../../src/model/run/estimate.js';
import { presets } from '../../../src/model/run/health.js';
import { simulatedRun } from './simulated.js';

const second = 1000;

const knowing = (durations: number[], etaError: number | null = null) =>
  usualOf(
    durations.map((ms, at) => ({ ...simulatedRun(ms, 0, at), etaError })),
    presets.production,
  );

const words = (...args: Parameters<typeof estimateOf>) => {
  const found = estimateOf(...args);
  return found === null ? null : estimateWords(found);
};

const four = [200, 220, 240, 240, 260, 280].map((s) => s * second);
const progress = (fraction: number, etaMs: number) => ({ text: '1/2', fraction, etaMs });

describe('an estimate', () => {
  it('by earlier runs, with the error it had', () => {
    expect(words(150 * second, knowing(four), null)).toBe(
      'usually 4 min, 62 % done, 1 min 30 s left (±20 s)',
    );
  });

  it('only runs that took longer count', () => {
    expect(words(250 * second, knowing(four), null)).toBe('usually 4 min, 92 % done, 20 s left (±20 s)');
    expect(words(300 * second, knowing(four), null)).toBe('usually 4 min');
  });

  it('by progress where there is no history, or one that is far off', () => {
    expect(words(10_000, null, progress(0.5, 10_000))).toBe('50 % done, 10 s left');
    const scattered = knowing([10, 60, 100, 400, 900, 1300].map((s) => s * second));
    expect(words(5 * second, scattered, progress(0.25, 15_000))).toMatch(/25 % done, 15 s left$/);
    expect(words(10_000, null, null)).toBeNull();
  });

  it('by whichever was closer in the past', () => {
    const half = progress(0.5, 100 * second);
    expect(estimateOf(100 * second, knowing(four, 0.9), half)).toMatchObject({ from: 'history' });
    expect(estimateOf(100 * second, knowing(four, 0.05), half)).toMatchObject({
      from: 'progress',
      fraction: 0.5,
      leftMs: 100 * second,
      errorMs: 5 * second,
    });
    expect(estimateOf(100 * second, knowing(four), half)).toMatchObject({ from: 'history' });
  });
});

it('the error of progress: how far its promises were off, in the middle', () => {
  const promised = [10, 20, 50, 80].map((s) => ({ elapsedMs: s * second, etaMs: (110 - s) * second }));
  expect(etaErrorOf(promised, 100 * second)).toBe(0.16);
  expect(etaErrorOf([{ elapsedMs: 99 * second, etaMs: 0 }], 100 * second)).toBeNull();
});

const ms = fc.integer({ min: 0, max: 1e8 });

property.prop([
  ms,
  fc.array(ms, { maxLength: 40 }),
  fc.option(fc.record({ fraction: fc.double({ min: 0, max: 1, noNaN: true }), etaMs: fc.option(ms) })),
  fc.option(fc.double({ min: 0, max: 10, noNaN: true })),
])('is always a share from 0 to 1 and a time that is not negative', (elapsedMs, durations, shown, error) => {
  const found = estimateOf(elapsedMs, knowing(durations, error), shown && { text: '', ...shown });
  if (found === null) return;
  expect(found.fraction ?? 0).toBeGreaterThanOrEqual(0);
  expect(found.fraction ?? 0).toBeLessThanOrEqual(1);
  expect(found.leftMs ?? 0).toBeGreaterThanOrEqual(0);
  expect(found.errorMs ?? 0).toBeGreaterThanOrEqual(0);
  expect(estimateWords(found)).not.toMatch(/NaN|undefined|Infinity|null/);
});
