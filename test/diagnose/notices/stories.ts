import { fc } from '@fast-check/vitest';
import { advanceWatch, type WatchEvent } from '../../../src/diagnose/notices/advance-watch.js';
import type { WatchLimits, WatchNotice } from '../../../src/diagnose/notices/limits.js';
import { startWatch, troubles, type WatchState } from '../../../src/diagnose/notices/watch-state.js';
import { noticeEvents } from '../../../src/model/notice.js';

export const noExit = { code: null, signal: null, provenance: 'unknown' } as const;

/** Mostly a short time, now and then a clock that is set. */
export const afterMs = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 4000 }) },
  { weight: 3, arbitrary: fc.constantFrom(0, 1, 14_999, 15_000, 15_001, 30_000) },
  { weight: 1, arbitrary: fc.integer({ min: -100_000, max: 1_000_000 }) },
);

const health = fc.constantFrom('healthy', 'likely-stuck' as const);
const line = fc.oneof(fc.constantFrom('', 'one line', 'ERROR in the middle'), fc.string({ maxLength: 3000 }));

/** What happens next, and how much later. */
const chapter = fc.record({
  afterMs,
  what: fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('matches'), count: fc.nat(30), line }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('tick') }) },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('health'), health, now: fc.subarray([...troubles]) }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('progress'), health, lines: fc.nat(3) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('pattern-lost') }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('exit'), line }) },
  ),
});

type Chapter = typeof chapter extends fc.Arbitrary<infer Value> ? Value : never;

function eventsOf(chapters: readonly Chapter[]): WatchEvent[] {
  let atMs = 1_700_000_000_000;
  let end = 0;
  let lines = 0;
  return chapters.map(({ afterMs, what }, index): WatchEvent => {
    atMs += afterMs;
    if (what.kind === 'pattern-lost')
      return { kind: 'pattern-lost', atMs, reason: `pattern ${index} is slow` };
    if (what.kind === 'tick') return { kind: 'tick', atMs };
    if (what.kind === 'health') {
      const now = what.now.map((trouble) => ({ trouble, reason: 'because' }));
      return { kind: 'health', atMs, health: what.health, troubles: now, output: 'x\n'.repeat(50) };
    }
    if (what.kind === 'progress') {
      lines += what.lines;
      return { kind: 'progress', atMs, health: what.health, elapsedMs: 1000, lines, output: 'new\n' };
    }
    if (what.kind === 'exit')
      return { kind: 'exit', atMs, exit: noExit, output: what.line, outputLost: null };
    const { count, line } = what;
    const first = count === 0 ? null : { pattern: 'ERROR', line, end: end + 1 };
    end += 1 + count;
    return { kind: 'matches', atMs, searchedTo: end, count, first, lines: Array<string>(count).fill(line) };
  });
}

/** The same again and again for a while, as real runs are. */
export const story: fc.Arbitrary<WatchEvent[]> = fc
  .array(fc.tuple(chapter, fc.constantFrom(1, 1, 1, 3, 12)), { minLength: 1, maxLength: 25 })
  .map((parts) => eventsOf(parts.flatMap(([one, times]) => Array<Chapter>(times).fill(one))));

export const someLimits: fc.Arbitrary<WatchLimits> = fc.record({
  windowMs: fc.constantFrom(1000, 15_000),
  strikesMax: fc.constantFrom(1, 3),
  events: fc.subarray([...noticeEvents]),
  everyMs: fc.constantFrom(0, 5000),
});

export interface Told {
  event: WatchEvent;
  /** Time that went by, as far as the clock on the wall shows it. */
  nowMs: number;
  before: WatchState;
  state: WatchState;
  notices: WatchNotice[];
}

export function play(
  events: readonly WatchEvent[],
  limits: WatchLimits,
  keep: (state: WatchState) => WatchState = (state) => state,
): Told[] {
  let state = startWatch;
  let nowMs = 0;
  let lastMs = events[0]?.atMs ?? 0;
  return events.map((event) => {
    nowMs += Math.max(0, event.atMs - lastMs);
    lastMs = event.atMs;
    const before = keep(state);
    const step = advanceWatch(before, event, limits);
    state = step.state;
    return { event, nowMs, before, ...step };
  });
}
