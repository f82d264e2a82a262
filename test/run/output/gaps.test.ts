import { expect, it } from 'vitest';
import { Gaps, learnedSilence } from '../../../src/run/output/gaps.js';

const gapsFrom = (startMs: number) => {
  const gaps = new Gaps();
  gaps.skip(startMs);
  return gaps;
};
const startMs = Math.ceil(performance.now()) + 1000;

it('of output whose time is known, the longest pause is known', () => {
  const gaps = gapsFrom(startMs);
  for (const atMs of [100, 600, 4100]) gaps.note(startMs + atMs);
  const silence = gaps.longest(startMs + 4200);
  expect(silence).toEqual({ leastMs: 3500, mostMs: 3500 });
  expect(learnedSilence(silence, 4200)).toBe(3500);
});

it('of a log that is polled, no more is learned than is proven', () => {
  const gaps = gapsFrom(startMs);
  // It prints every 500 ms, and is polled every 5 s.
  for (let atMs = 5000; atMs <= 30_000; atMs += 5000) gaps.note(startMs + atMs - 300, startMs + atMs - 5000);
  const silence = gaps.longest(startMs + 30_000);
  expect(silence).toEqual({ leastMs: 300, mostMs: 5000 });
  expect(learnedSilence(silence, 30_000)).toBe(300);
});

it('of a run that was over before it was looked at twice, nothing is learned', () => {
  const gaps = gapsFrom(startMs);
  gaps.note(startMs + 3526, startMs);
  expect(learnedSilence(gaps.longest(startMs + 4032), 4032)).toBeNull();
});

it('the time since the last output counts, and stopped time does not', () => {
  const gaps = gapsFrom(startMs);
  gaps.note(startMs + 100);
  gaps.quiet(startMs + 2100);
  gaps.skip(startMs + 60_000);
  expect(learnedSilence(gaps.longest(startMs + 61_000), 61_000)).toBe(2000);
  expect(learnedSilence(gaps.longest(startMs + 71_000), 71_000)).toBe(11_000);
});

it('what an earlier daemon saw is not known', () => {
  const gaps = new Gaps(50_000);
  expect(learnedSilence(gaps.longest(performance.now() + 1000), 51_000)).toBeNull();
  expect(learnedSilence(gaps.longest(performance.now() + 100_000), 150_000)).toBeGreaterThan(90_000);
});
