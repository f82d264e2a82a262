import type { NoticeKind } from '../../model/notice.js';
import { type BreakerState, runsMax, type Tripped } from './breaker-state.js';
import { addToExcerpt, type BreakerLimits, type WatchNotice } from './limits.js';
import { advanceClock } from './saved.js';
import { overflowOverText, overflowText } from './words.js';

/** `notice`: a run is about to report a notice. `atMs` is wall clock time. */
export type BreakerEvent = { atMs: number } & (
  | { kind: 'tick' }
  | { kind: 'notice'; noticeKind: NoticeKind; runId: string }
);

export interface BreakerStep {
  state: BreakerState;
  /** Whether the notice may be delivered; it comes after `notices`. */
  passes: boolean;
  /** Notices that belong to no run. */
  notices: WatchNotice[];
}

/** The other kinds are awaited by an agent or a user: an end or a question in the midst of noise must not be lost. */
const countedKinds: ReadonlySet<NoticeKind> = new Set(['match', 'progress']);

/** Takes in one event. Pure, with the same keys for the same state and event. */
export function advanceBreaker(
  before: BreakerState,
  event: BreakerEvent,
  limits: BreakerLimits,
): BreakerStep {
  const { state, notices } = release({ ...before, clock: advanceClock(before.clock, event.atMs) }, limits);
  if (event.kind === 'tick' || !countedKinds.has(event.noticeKind)) return { state, passes: true, notices };
  const { nowMs } = state.clock;
  if (state.tripped !== null) {
    return { state: { ...state, tripped: count(state.tripped, event.runId) }, passes: false, notices };
  }
  const told = state.told.filter((atMs) => nowMs - atMs < limits.windowMs);
  if (told.length < limits.noticesMax) {
    return { state: { ...state, told: [...told, nowMs] }, passes: true, notices };
  }
  const trips = state.trips + 1;
  const tripped = count({ atMs: nowMs, suppressed: 0, runs: [] }, event.runId);
  return {
    state: { ...state, told, trips, tripped },
    passes: false,
    notices: [...notices, reportOverflow(trips, limits)],
  };
}

/** How long nothing happens by itself after this; null: nothing ever does. */
export function releaseInMs(
  { clock, tripped }: BreakerState,
  atMs: number,
  limits: BreakerLimits,
): number | null {
  if (tripped === null) return null;
  return Math.max(0, tripped.atMs + limits.openMs - advanceClock(clock, atMs).nowMs);
}

function release(state: BreakerState, limits: BreakerLimits): Omit<BreakerStep, 'passes'> {
  const { tripped, trips, clock } = state;
  if (tripped === null || clock.nowMs - tripped.atMs < limits.openMs) return { state, notices: [] };
  return { state: { ...state, tripped: null }, notices: [reportOverflowOver(trips, tripped)] };
}

function count({ atMs, suppressed, runs }: Tripped, runId: string): Tripped {
  const known = runs.find((run) => run.runId === runId);
  const others = runs.filter((run) => run !== known);
  const counted =
    known === undefined && runs.length >= runsMax
      ? runs
      : [...others, { runId, suppressed: (known?.suppressed ?? 0) + 1 }];
  return { atMs, suppressed: suppressed + 1, runs: counted };
}

function reportOverflow(trips: number, limits: BreakerLimits): WatchNotice {
  return {
    key: `overflow:${trips}`,
    kind: 'overflow',
    text: overflowText(limits),
    output: '',
    suppressed: 0,
  };
}

function reportOverflowOver(trips: number, { suppressed, runs }: Tripped): WatchNotice {
  const most = runs.toSorted((a, b) => b.suppressed - a.suppressed || (a.runId < b.runId ? -1 : 1));
  return {
    key: `overflow-over:${trips}`,
    kind: 'overflow-over',
    text: overflowOverText(suppressed),
    output: addToExcerpt(
      [],
      most.map((run) => `${run.runId}: ${run.suppressed}`),
    ).join('\n'),
    suppressed,
  };
}
