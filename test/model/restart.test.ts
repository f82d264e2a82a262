import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import {
  type EndedAttempt,
  nextRestart,
  restartDelayMsMax,
  restartDelayMsMin,
  steadyMs,
} from '../../src/model/run/restart.js';
import { type RestartRecord, restartModes } from '../../src/model/run/restart-record.js';
import { outcomes } from '../../src/model/run/run.js';

const record = (changes: Partial<RestartRecord> = {}): RestartRecord => ({
  ...{ on: 'on-failure', max: 3, delayMs: 1000, chain: 'run_000000000001', attempt: 1, failures: 0 },
  ...changes,
});
const ended = (code: number | null, changes: Partial<EndedAttempt> = {}): EndedAttempt => ({
  outcome: 'exited',
  exit: { code, signal: null, provenance: code === null ? 'unknown' : 'recorded' },
  livedMs: 10,
  ...changes,
});

describe('what follows the end of a run with a restart policy', () => {
  it.each<[string, Partial<RestartRecord>, EndedAttempt, string]>([
    ['a failure', {}, ended(1), 'restart'],
    ['an end that nothing recorded', {}, ended(null), 'restart'],
    ['a limit that was reached', {}, ended(143, { outcome: 'timeout' }), 'restart'],
    ['a hang that was stopped', {}, ended(143, { outcome: 'stuck' }), 'restart'],
    ['success', {}, ended(0), 'it ended with success'],
    ['success, always', { on: 'always' }, ended(0), 'restart'],
    [
      'a kill on request',
      { on: 'always' },
      ended(143, { outcome: 'interrupted' }),
      'it was stopped on request',
    ],
    ['too many in a row', { failures: 3 }, ended(1), 'it was restarted 3 times in a row'],
    ['the same after a long life', { failures: 3 }, ended(1, { livedMs: steadyMs }), 'restart'],
  ])('%s', (_, changes, end, expected) => {
    const decision = nextRestart(record(changes), end);
    expect(decision.kind === 'over' ? decision.reason : decision.kind).toBe(expected);
  });

  it('the delay doubles', () => {
    const delays = [0, 1, 2].map((failures) => nextRestart(record({ failures }), ended(1)));
    expect(delays).toMatchObject([{ delayMs: 1000 }, { delayMs: 2000 }, { delayMs: 4000 }]);
  });
});

const anyRecord = fc.record({
  on: fc.constantFrom(...restartModes),
  max: fc.integer({ min: 1, max: 20 }),
  delayMs: fc.nat(100_000),
  chain: fc.constant('run_000000000001'),
  attempt: fc.constant(1),
  failures: fc.constant(0),
});
const anyEnd = fc.record({
  outcome: fc.constantFrom(...outcomes),
  exit: fc.record({
    code: fc.option(fc.nat(255)),
    signal: fc.constant(null),
    provenance: fc.constantFrom('recorded' as const, 'unknown' as const),
  }),
  livedMs: fc.nat(steadyMs - 1),
});

test.prop([anyRecord, fc.array(anyEnd, { minLength: 30, maxLength: 60 })])(
  'short lives: never hot, every attempt has the next number, and it ends after the maximum',
  (first, ends) => {
    let now: RestartRecord = first;
    let restarts = 0;
    for (const end of ends) {
      const decision = nextRestart(now, end);
      expect(nextRestart(now, end)).toEqual(decision);
      if (decision.kind === 'over') {
        expect(restarts).toBeLessThanOrEqual(first.max);
        return;
      }
      expect(end.outcome).not.toBe('interrupted');
      expect(decision.delayMs).toBeGreaterThanOrEqual(restartDelayMsMin);
      expect(decision.delayMs).toBeLessThanOrEqual(restartDelayMsMax);
      expect(decision.attempt).toBe(now.attempt + 1);
      now = { ...now, attempt: decision.attempt, failures: decision.failures };
      restarts += 1;
    }
    throw new Error('it never ended');
  },
);
