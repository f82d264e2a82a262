import { describe, expect, test } from 'vitest';
import { uptimeMs } from '../../../src/probe/linux/identity/identify.js';
import { graceLeftMs } from '../../../src/run/stop/kill-order.js';

const order = { requestId: 'r', outcome: 'interrupted', graceMs: 60_000, receipt: null } as const;

describe('the grace of a kill that several daemons carried out', () => {
  test.each([
    ['no signal was sent yet', null, 60_000, 60_000],
    ['the signal was sent half of it ago', uptimeMs() - 30_000, 20_000, 30_000],
    ['the signal was sent long ago', uptimeMs() - 90_000, 0, 0],
    ['a time that is still to come', uptimeMs() + 90_000, 60_000, 60_000],
  ])('%s', (_name, askedMs, least, most) => {
    const left = graceLeftMs({ ...order, askedMs });
    expect(left).toBeGreaterThanOrEqual(least);
    expect(left).toBeLessThanOrEqual(most);
  });
});
