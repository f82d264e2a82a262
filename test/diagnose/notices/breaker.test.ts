import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import {
  advanceBreaker,
  type BreakerEvent,
  releaseInMs,
} from '../../../src/diagnose/notices/advance-breaker.js';
import {
  type BreakerState,
  readBreakerState,
  startBreaker,
} from '../../../src/diagnose/notices/breaker-state.js';
import { breakerLimits } from '../../../src/diagnose/notices/limits.js';
import { type NoticeKind, noticeKinds } from '../../../src/model/notice.js';
import { afterMs } from './stories.js';

function play(
  events: readonly BreakerEvent[],
  keep: (state: BreakerState) => BreakerState = (state) => state,
) {
  let state = startBreaker;
  let nowMs = 0;
  let lastMs = events[0]?.atMs ?? 0;
  const steps = events.map((event) => {
    nowMs += Math.max(0, event.atMs - lastMs);
    lastMs = event.atMs;
    const step = advanceBreaker(keep(state), event, breakerLimits);
    state = step.state;
    return { event, nowMs, ...step };
  });
  return { steps, state, notices: steps.flatMap(({ notices }) => notices) };
}

const notice = (atS: number, noticeKind: NoticeKind, runId = 'run_a'): BreakerEvent => ({
  kind: 'notice',
  atMs: atS * 1000,
  noticeKind,
  runId,
});
const tick = (atS: number): BreakerEvent => ({ kind: 'tick', atMs: atS * 1000 });

const saved = (state: BreakerState) => readBreakerState(JSON.parse(JSON.stringify(state)));

const isCounted = (event: BreakerEvent) =>
  event.kind === 'notice' && (event.noticeKind === 'match' || event.noticeKind === 'progress');

const story: fc.Arbitrary<BreakerEvent[]> = fc
  .array(
    fc.tuple(
      fc.oneof({ weight: 3, arbitrary: fc.integer({ min: 0, max: 900 }) }, { weight: 1, arbitrary: afterMs }),
      fc.oneof(
        fc.constant(null),
        fc.constantFrom<NoticeKind>('match', 'progress'),
        fc.constantFrom(...noticeKinds),
      ),
      fc.constantFrom('run_a', 'run_b', '__proto__'),
      fc.constantFrom(1, 1, 5, 20),
    ),
    { maxLength: 40 },
  )
  .map((parts) => {
    let atMs = 1_700_000_000_000;
    return parts.flatMap(([after, noticeKind, runId, times]) =>
      Array.from({ length: times }, (): BreakerEvent => {
        atMs += after;
        return noticeKind === null ? { kind: 'tick', atMs } : { kind: 'notice', atMs, noticeKind, runId };
      }),
    );
  });

describe('all runs together', () => {
  test('twenty runs that match at once trip it once; the end reports what was held back', () => {
    const burst = Array.from({ length: 20 }, (_, run) => notice(0, 'match', `run_${run}`));
    const { steps, notices, state } = play([...burst, tick(29.9), tick(30), tick(31)]);
    expect(steps.filter(({ event, passes }) => isCounted(event) && passes).length).toBe(15);
    expect(notices).toEqual([
      {
        key: 'overflow:1',
        kind: 'overflow',
        text: 'more than 15 notices in 10 s: for 30 s matches and progress of all runs are only counted',
        output: '',
        suppressed: 0,
      },
      {
        key: 'overflow-over:1',
        kind: 'overflow-over',
        text: 'matches and progress are reported again: 5 were held back',
        output: 'run_15: 1\nrun_16: 1\nrun_17: 1\nrun_18: 1\nrun_19: 1',
        suppressed: 5,
      },
    ]);
    expect(state.tripped).toBeNull();
  });

  test('ends and questions go through whatever else there is', () => {
    const noise = Array.from({ length: 30 }, () => notice(0, 'match'));
    const mattered = (['exit', 'needs-input', 'stuck', 'stalled', 'patterns-off'] as const).map((kind) =>
      notice(1, kind),
    );
    const { steps } = play([...noise, ...mattered]);
    expect(steps.slice(30).map(({ passes }) => passes)).toEqual([true, true, true, true, true]);
  });

  test('fifteen in ten seconds are no storm', () => {
    const steady = Array.from({ length: 60 }, (_, index) => notice(index * 0.67, 'match'));
    expect(play(steady).notices).toEqual([]);
  });

  test('the first notice after the time releases it, and comes after the news of it', () => {
    const { steps } = play([...Array.from({ length: 17 }, () => notice(0, 'match')), notice(30, 'match')]);
    expect(steps.at(-1)).toMatchObject({ passes: true, notices: [{ kind: 'overflow-over', suppressed: 2 }] });
  });

  test('the time until it is released is known', () => {
    const { state } = play(Array.from({ length: 17 }, () => notice(0, 'match')));
    expect(releaseInMs(state, 10_000, breakerLimits)).toBe(20_000);
    expect(releaseInMs(startBreaker, 0, breakerLimits)).toBeNull();
  });

  test('more runs than are listed are counted all the same', () => {
    const burst = Array.from({ length: 500 }, (_, run) => notice(0, 'match', `run_${run}`));
    const { notices } = play([...burst, tick(60)]);
    expect(notices.at(-1)).toMatchObject({ suppressed: 485 });
    expect(notices.at(-1)?.output.split('\n').length).toBe(20);
  });
});

describe('whatever happens, and whatever the clock does', () => {
  property.prop([story])(
    'in any ten seconds at most fifteen matches and progress notices go through, and all other notices do',
    (events) => {
      const { steps } = play(events);
      const passed = steps
        .filter(({ event, passes }) => isCounted(event) && passes)
        .map(({ nowMs }) => nowMs);
      for (const [index, nowMs] of passed.slice(15).entries()) {
        expect(nowMs - (passed[index] ?? 0)).toBeGreaterThanOrEqual(breakerLimits.windowMs);
      }
      expect(steps.filter(({ event, passes }) => !isCounted(event) && !passes)).toEqual([]);
    },
  );

  property.prop([story])('what was held back is counted exactly', (events) => {
    const { steps, notices, state } = play(events);
    const told = notices.reduce((sum, { suppressed }) => sum + suppressed, state.tripped?.suppressed ?? 0);
    expect(told).toBe(steps.filter(({ passes }) => !passes).length);
    const perRun = state.tripped?.runs.reduce((sum, { suppressed }) => sum + suppressed, 0);
    expect(perRun).toBe(state.tripped?.suppressed);
  });

  property.prop([story])(
    'it trips and is released in turns, 30 s apart, each with a key of its own',
    (events) => {
      const { steps, notices } = play(events);
      expect(new Set(notices.map(({ key }) => key)).size).toBe(notices.length);
      const turns = steps.flatMap((step) => step.notices.map(({ kind }) => ({ kind, nowMs: step.nowMs })));
      for (const [index, { kind, nowMs }] of turns.entries()) {
        expect(kind).toBe(index % 2 === 0 ? 'overflow' : 'overflow-over');
        if (kind === 'overflow-over')
          expect(nowMs - (turns[index - 1]?.nowMs ?? 0)).toBeGreaterThanOrEqual(30_000);
      }
    },
  );

  property.prop([story])('a state that was saved and loaded gives the same', (events) => {
    expect(play(events, saved).notices).toEqual(play(events).notices);
  });
});

describe('what was saved', () => {
  const { state } = play(Array.from({ length: 17 }, () => notice(0, 'match')));
  test.each([
    ['nothing', null],
    ['text', 'x'],
    ['another version', { ...state, version: 2 }],
    ['a time in the future', { ...state, told: [1e15] }],
    ['a count that is none', { ...state, trips: 1.5 }],
    [
      'too many runs',
      { ...state, tripped: { ...state.tripped, runs: Array(101).fill({ runId: 'a', suppressed: 1 }) } },
    ],
    ['a run without a name', { ...state, tripped: { ...state.tripped, runs: [{ suppressed: 1 }] } }],
  ])('%s: a fresh start', (_, value) => {
    expect(readBreakerState(value)).toEqual(startBreaker);
  });
});
