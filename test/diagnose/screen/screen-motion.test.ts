import { describe, expect, it } from 'vitest';
import {
  advanceMotion,
  isLively,
  type ScreenMotion,
  withoutClock,
} from '../../../src/diagnose/screen/screen-motion.js';

describe('what only a clock moves', () => {
  it.each([
    ['⠋ Which one?', '⠙ Which one?'],
    ['| building (9s)', '/ building (10s)'],
    ['Tue Nov 17 03:44:01 UTC 2026', 'Tue Nov 17 03:59:59 UTC 2026'],
    ['✻ Thinking… (29s)', '✽ Thinking… (1m 2s)'],
    ['waiting.', 'waiting...'],
    ['> █', '>'],
    [' ■■■⬝⬝⬝  esc', ' ⬝⬝⬝⬝■■  esc'],
  ])('%s and %s are the same', (one, other) => {
    expect(withoutClock(one)).toBe(withoutClock(other));
  });

  it.each([
    ['45 % [####    ]', '46 % [####    ]'],
    ['compiled 10 modules', 'compiled 100 modules'],
    ['1.2k tokens', '1.3k tokens'],
    ['❯ first', '  first'],
  ])('%s and %s are not', (one, other) => {
    expect(withoutClock(one)).not.toBe(withoutClock(other));
  });
});

describe('a screen over time', () => {
  const play = (screens: readonly string[]): ScreenMotion =>
    screens.reduce<ScreenMotion | null>(
      (motion, text, at) => advanceMotion(motion, [text], at * 5000),
      null,
    ) as ScreenMotion;

  it('stands still while a spinner turns', () => {
    const motion = play(['⠋ Go on? 1s', '⠙ Go on? 6s', '⠹ Go on? 11s']);
    expect(motion.sinceMs).toBe(0);
    expect(isLively(motion, 15_000)).toBe(false);
  });

  it('is lively while its content changes again and again, and not for long after that', () => {
    const motion = play(['a', 'b', 'c', 'd', 'e']);
    expect(isLively(motion, 25_000)).toBe(true);
    expect(isLively(motion, 40_000)).toBe(false);
  });

  it('a single change is not lively', () => {
    expect(isLively(play(['a', 'a', 'b']), 11_000)).toBe(false);
  });
});
