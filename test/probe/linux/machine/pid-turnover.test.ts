import { describe, expect, it } from 'vitest';
import { longAgo, mayHaveWrapped } from '../../../../src/probe/linux/machine/pid-turnover.js';

describe('which numbers may be newer than a command', () => {
  it.each([
    ['far from the end of the circle', 1000, 0, 100, false],
    ['near the end: the next numbers are low ones', 32_700, 0, 1, true],
    ['many forks later', 1000, 0, 16_000, true],
    ['not counted from the beginning', 1000, longAgo, 100, true],
    ['a count that went backwards', 1000, 100, 50, true],
  ])('%s', (_name, pid, from, to, wrapped) => {
    expect(mayHaveWrapped(pid, from, to, 32_768)).toBe(wrapped);
  });
});
