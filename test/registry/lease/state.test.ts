import { test as property } from '@fast-check/vitest';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leaseEnds } from '../../../src/model/run/lease.js';
import {
  type LeaseAct,
  type LeaseState,
  nextLease,
  type OwnerStanding,
  resumeLease,
} from '../../../src/registry/lease/state.js';

const held: LeaseState = { kind: 'held' };
const stopIn = (delayMs: number) => ({ whenGone: 'stop' as const, delayMs });

describe('what follows from the end of an owner', () => {
  it.each([
    ['report', { kind: 'over' }, 'report'],
    ['keep', { kind: 'over' }, 'none'],
    ['stop', { kind: 'expiring', sinceMs: 7 }, 'report'],
  ] as const)('%s', (whenGone, state, act) => {
    expect(nextLease(held, 'gone', 7, { whenGone, delayMs: 100 })).toEqual({ state, act });
  });

  it('stopped when the delay is over, not before, and once', () => {
    const expiring: LeaseState = { kind: 'expiring', sinceMs: 7 };
    expect(nextLease(expiring, 'gone', 106, stopIn(100))).toEqual({ state: expiring, act: 'none' });
    const over = nextLease(expiring, 'gone', 107, stopIn(100));
    expect(over).toEqual({ state: { kind: 'over' }, act: 'stop' });
    expect(nextLease(over.state, 'gone', 999, stopIn(100)).act).toBe('none');
  });

  it.each([
    ['half of the delay has passed', 50, { kind: 'expiring', sinceMs: 950 }],
    ['the clock was set forward', 1e12, { kind: 'expiring', sinceMs: 900 }],
    ['the clock was set back', -1e12, { kind: 'expiring', sinceMs: 1000 }],
    ['its owner was there', null, held],
  ])('the next daemon goes on: %s', (_, goneForMs, state) => {
    expect(resumeLease(goneForMs, 1000, stopIn(100))).toEqual(state);
  });

  const look = fc.record({
    owner: fc.constantFrom<OwnerStanding>('there', 'gone', 'unknown'),
    passMs: fc.integer({ min: 0, max: 80 }),
    /** The daemon is killed, and the next one reads when the owner was found gone. */
    restart: fc.boolean(),
  });

  property.prop([
    fc.array(look, { maxLength: 40 }),
    fc.constantFrom(...leaseEnds),
    fc.integer({ min: 0, max: 200 }),
  ])(
    'reported before it is stopped, stopped only as configured, after the delay, when the owner is gone',
    (looks, whenGone, delayMs) => {
      const lease = { whenGone, delayMs };
      let state: LeaseState = held;
      let nowMs = 0;
      let goneAtMs: number | null = null;
      const acts: LeaseAct[] = [];
      for (const { owner, passMs, restart } of looks) {
        nowMs += passMs;
        if (restart && state.kind !== 'over') {
          state = resumeLease(goneAtMs === null ? null : nowMs - goneAtMs, nowMs, lease);
        }
        const before = state;
        const { state: after, act } = nextLease(before, owner, nowMs, lease);
        state = after;
        if (act === 'none') continue;
        acts.push(act);
        expect(owner).toBe('gone');
        if (act === 'report') goneAtMs = nowMs;
        if (act === 'stop') expect(nowMs - (goneAtMs ?? nowMs)).toBeGreaterThanOrEqual(delayMs);
      }
      if (whenGone === 'keep') expect(acts).toEqual([]);
      if (whenGone === 'report') expect(acts.length).toBeLessThanOrEqual(1);
      if (whenGone !== 'stop') expect(acts).not.toContain('stop');
      const stops = acts.filter((act) => act === 'stop');
      expect(stops.length).toBeLessThanOrEqual(1);
      if (stops.length > 0) expect(acts[0]).toBe('report');
    },
  );
});
