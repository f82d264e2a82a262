import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { parseDuration } from '../../src/text/duration.js';

describe('parseDuration', () => {
  it.each([
    ['5', 5000],
    ['0', 0],
    ['1.5', 1500],
    ['500ms', 500],
    ['90s', 90_000],
    ['1h30m', 5_400_000],
    ['1d2h3m4s5ms', 93_784_005],
    ['1.5h', 5_400_000],
    [' 2m30s ', 150_000],
  ])('%j is %d ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(['', 'm', '1x', '30m1h', '5m5m', '1h30', '1h 30m', '-5s', '1e3', '1h30m!', `${'1'.repeat(200)}s`])(
    '%j is not a duration',
    (text) => {
      expect(parseDuration(text)).toBeNull();
    },
  );

  test.prop([fc.nat(99), fc.nat(99), fc.nat(99)])('parts add up', (h, m, s) => {
    expect(parseDuration(`${h}h${m}m${s}s`)).toBe(h * 3_600_000 + m * 60_000 + s * 1000);
  });

  test.prop([fc.string()])('any text is a time of 0 or more, or none', (text) => {
    expect(parseDuration(text) ?? 0).toBeGreaterThanOrEqual(0);
  });
});
