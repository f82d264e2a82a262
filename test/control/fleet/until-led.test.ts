import { JetStreamApiError } from '@nats-io/jetstream/internal';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { untilLed } from '../../../src/control/fleet/with-jobs.js';
import { explained } from '../../../src/fleet/explained.js';

const address = { url: 'nats://server', fleet: 'default', login: {} };
const failureOf = (err_code: number) =>
  explained(address, new JetStreamApiError({ code: 503, err_code, description: 'no' }));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('an election is waited for', async () => {
  const work = vi.fn().mockRejectedValueOnce(failureOf(10008)).mockResolvedValue('jobs');
  const found = untilLed({}, work);
  await vi.advanceTimersByTimeAsync(1000);
  expect(await found).toBe('jobs');
});

it('what lasts is reported at once, and an election without end after a time', async () => {
  await expect(untilLed({}, () => Promise.reject(failureOf(10039)))).rejects.toThrow('does not answer');
  const waiting = expect(untilLed({}, () => Promise.reject(failureOf(10008)))).rejects.toThrow('no leader');
  await vi.advanceTimersByTimeAsync(20_000);
  await waiting;
});

it('an interrupt ends the waiting', async () => {
  const stop = new AbortController();
  const waiting = expect(
    untilLed({ signal: stop.signal }, () => Promise.reject(failureOf(10008))),
  ).rejects.toThrow('no leader');
  stop.abort();
  await waiting;
});
