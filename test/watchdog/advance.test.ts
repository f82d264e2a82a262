import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../src/model/verdict.js';
import type { Ending, WatchdogState } from '../../src/model/watchdog.js';
import { nextWatchdog, startWatchdog, type WatchdogInput } from '../../src/watchdog/advance.js';

const idleTimeoutMs = 100;
const maxIdleMs = 300;
const verdict: Verdict = {
  kind: 'deadlock',
  certainty: 'certain',
  pid: 7,
  command: 'x',
  reason: 'it waits for itself',
  evidence: [],
  next: [],
};
const killed: Ending = { signal: 'SIGTERM', asked: false, trouble: null, isGone: true, receipt: null };
const finished: Ending = { ...killed, signal: null };

interface Story {
  afterMs: number;
  input: WatchdogInput;
}

const inputs: fc.Arbitrary<WatchdogInput> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('polled' as const),
      isAlive: fc.nat(9).map((n) => n > 0),
      lateMs: fc.constantFrom(0, 0, 0, 999, 5000),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: 'activity' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('judged' as const),
      sinceMs: fc.nat(400),
      verdict: fc.constantFrom(verdict, null),
      agrees: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(killed, finished).map((ending) => ({ kind: 'terminated' as const, ending })),
  },
  { weight: 1, arbitrary: fc.constantFrom({ kind: 'exited' as const }, { kind: 'stopped' as const }) },
);
const stories = fc.array(fc.record<Story>({ afterMs: fc.nat(120), input: inputs }), { maxLength: 40 });

interface Moment {
  before: WatchdogState;
  after: WatchdogState;
  input: WatchdogInput;
  atMs: number;
}

function play(story: Story[], judge: boolean): Moment[] {
  let state = startWatchdog(0);
  let atMs = 0;
  return story.map(({ afterMs, input }) => {
    atMs += afterMs;
    // Half of the answers are to the question that was asked.
    const isAnswer = input.kind === 'judged' && state.phase === 'judging' && input.sinceMs % 2 === 0;
    const given = isAnswer && state.phase === 'judging' ? { ...input, sinceMs: state.sinceMs } : input;
    const before = state;
    state = nextWatchdog(before, given, atMs, { idleTimeoutMs, judge, maxIdleMs });
    return { before, after: state, input: given, atMs };
  });
}

describe('the states of a watchdog', () => {
  property.prop([stories, fc.boolean()])(
    'a watchdog that has ended stays as it ended, and stop() ends any other',
    (story, judge) => {
      for (const { before, after, input } of play(story, judge)) {
        if (before.phase === 'ended') expect(after).toBe(before);
        else if (input.kind === 'stopped')
          expect(after).toEqual({ phase: 'ended', outcome: { kind: 'stopped' } });
      }
    },
  );

  property.prop([stories])('nothing is ended before the whole time without activity has passed', (story) => {
    let activeMs = 0;
    for (const { before, after, input, atMs } of play(story, false)) {
      if (input.kind === 'activity' && before.phase === 'watching') activeMs = atMs;
      expect(after.phase).not.toBe('judging');
      if (before.phase !== 'watching' || after.phase !== 'terminating') continue;
      expect(input).toMatchObject({ kind: 'polled', isAlive: true });
      expect(atMs - activeMs).toBeGreaterThanOrEqual(idleTimeoutMs);
      expect(after.idleMs).toBeLessThanOrEqual(atMs - activeMs);
    }
  });

  property.prop([stories])(
    'with a judge, nothing is ended without its consent to this very question, or before the ceiling',
    (story) => {
      let activeMs = 0;
      for (const { before, after, input, atMs } of play(story, true)) {
        if (input.kind === 'activity' && before.phase !== 'terminating') activeMs = atMs;
        if (after.phase !== 'terminating' || before.phase === 'terminating') continue;
        if (after.because === 'ceiling') {
          expect(input).toMatchObject({ kind: 'polled', isAlive: true });
          expect(after.idleMs).toBeGreaterThanOrEqual(maxIdleMs);
          expect(after.idleMs).toBeLessThanOrEqual(atMs - activeMs);
          continue;
        }
        expect(after.because).toBe('verdict');
        expect(before.phase).toBe('judging');
        expect(input).toMatchObject({ kind: 'judged', agrees: true });
        if (before.phase === 'judging' && input.kind === 'judged') expect(input.sinceMs).toBe(before.sinceMs);
      }
    },
  );

  property.prop([stories])('no poll leaves a silent process alive after the ceiling', (story) => {
    for (const { before, after, input, atMs } of play(story, true)) {
      const isWatched = before.phase === 'watching' || before.phase === 'judging';
      if (!isWatched || input.kind !== 'polled' || !input.isAlive || input.lateMs >= 1000) continue;
      if (atMs - before.activeMs >= maxIdleMs) {
        expect(after).toMatchObject({ phase: 'terminating', because: 'ceiling' });
      }
    }
  });

  property.prop([stories, fc.boolean()])(
    'a timeout means that the process was signalled, asked to end, or is not gone',
    (story, judge) => {
      for (const { before, after } of play(story, judge)) {
        if (after.phase !== 'ended' || after.outcome.kind !== 'timed-out' || before.phase === 'ended')
          continue;
        expect(before.phase).toBe('terminating');
        const { ending } = after.outcome;
        expect(ending.signal !== null || ending.asked || !ending.isGone).toBe(true);
      }
    },
  );

  it('activity while it is judged makes the answer worthless', () => {
    const rules = { idleTimeoutMs, judge: true, maxIdleMs };
    const polled: WatchdogInput = { kind: 'polled', isAlive: true, lateMs: 0 };
    const judging = nextWatchdog(startWatchdog(0), polled, 100, rules);
    expect(judging).toEqual({ phase: 'judging', activeMs: 0, held: null, sinceMs: 100 });
    const active = nextWatchdog(judging, { kind: 'activity' }, 101, rules);
    const answer: WatchdogInput = { kind: 'judged', sinceMs: 100, verdict, agrees: true };
    expect(nextWatchdog(active, answer, 102, rules)).toEqual({
      phase: 'watching',
      activeMs: 101,
      held: null,
    });
    const again = nextWatchdog(active, polled, 201, rules);
    expect(nextWatchdog(again, answer, 202, rules)).toBe(again);
    expect(nextWatchdog(again, { ...answer, sinceMs: 201 }, 203, rules)).toEqual({
      phase: 'terminating',
      because: 'verdict',
      idleMs: 102,
      verdict,
    });
  });

  it('time in which the watchdog itself did not run does not count as silence', () => {
    const rules = { idleTimeoutMs, judge: false, maxIdleMs };
    const late = nextWatchdog(startWatchdog(0), { kind: 'polled', isAlive: true, lateMs: 5000 }, 5100, rules);
    expect(late).toMatchObject({ phase: 'terminating', idleMs: 100 });
    const lost = nextWatchdog(startWatchdog(0), { kind: 'polled', isAlive: true, lateMs: 5050 }, 5100, rules);
    expect(lost).toEqual({ phase: 'watching', activeMs: 5050, held: null });
  });

  it('time in which this program did not run does not bring the ceiling nearer', () => {
    const rules = { idleTimeoutMs, judge: true, maxIdleMs };
    const judging: WatchdogState = { phase: 'judging', activeMs: 0, held: null, sinceMs: 100 };
    const late: WatchdogInput = { kind: 'polled', isAlive: true, lateMs: 5000 };
    expect(nextWatchdog(judging, late, 5110, rules)).toEqual({ ...judging, activeMs: 5000 });
  });

  it('what had finished before a signal reached it has finished, not timed out', () => {
    const rules = { idleTimeoutMs, judge: false, maxIdleMs };
    const terminating: WatchdogState = { phase: 'terminating', because: 'idle', idleMs: 100, verdict: null };
    const outcomeOf = (ending: Ending) => nextWatchdog(terminating, { kind: 'terminated', ending }, 1, rules);
    expect(outcomeOf(finished)).toEqual({ phase: 'ended', outcome: { kind: 'exited' } });
    expect(outcomeOf(killed)).toMatchObject({ outcome: { kind: 'timed-out' } });
    expect(outcomeOf({ ...finished, asked: true })).toMatchObject({ outcome: { kind: 'timed-out' } });
    expect(outcomeOf({ ...finished, isGone: false })).toMatchObject({ outcome: { kind: 'timed-out' } });
  });
});
