import { describe, expect, it } from 'vitest';
import { givenBetween } from '../../../../src/probe/linux/machine/pid-turnover.js';

describe('pids that may have been reused', () => {
  it('the pids after the last pid then, up to the last pid now', () => {
    const given = givenBetween(100, 103);
    expect([99, 100, 101, 103, 104].map(given)).toEqual([false, false, true, true, false]);
    expect(givenBetween(100, 100)(100)).toBe(false);
  });

  it('after the highest pid the lowest pid comes again', () => {
    const given = givenBetween(32_700, 5);
    expect([1, 5, 6, 32_700, 32_701].map(given)).toEqual([true, true, false, false, true]);
  });
});
