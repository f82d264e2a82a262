import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { refusedMs } from '../../src/fleet/member/waiting-jobs.js';

/** How long a host waits for the next message. */
const nextMs = 1000;

describe('how long a refused message stays away', () => {
  test.prop([fc.integer({ min: 1, max: 1e9 })])('grows to a bound, and does not shrink', (deliveries) => {
    expect(refusedMs(1)).toBeLessThan(nextMs / 2);
    expect(refusedMs(deliveries + 1)).toBeGreaterThanOrEqual(refusedMs(deliveries));
    expect(refusedMs(deliveries)).toBeLessThanOrEqual(30_000);
    expect(refusedMs(20)).toBeGreaterThan(nextMs * 10);
  });
});
