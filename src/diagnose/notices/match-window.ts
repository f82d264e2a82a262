import { addToExcerpt, type WatchLimits, type WatchNotice } from './limits.js';
import { type Held, nothingHeld, type WatchState } from './watch-state.js';
import { matchText, patternsOffText } from './words.js';

/** Lines that match at least one pattern. */
export interface Matches {
  count: number;
  /** `pattern`: the first pattern that matches, as written; `end`: bytes of output up to the end of that line. */
  first: { pattern: string; line: string; end: number } | null;
  /** The first matching lines. */
  lines: readonly string[];
}

export interface Step {
  state: WatchState;
  notices: WatchNotice[];
}

/** Reports matches at once, or holds them until the window is over. */
export function takeMatches(state: WatchState, matches: Matches, limits: WatchLimits): Step {
  const { patternsOff, searchedTo, held } = state;
  // Output that was searched before the state was saved is searched again: its matches are counted already.
  const isNew = matches.first !== null && matches.first.end > searchedTo;
  if (patternsOff || !isNew) return closeWindow(state, limits);
  return settle({ ...state, held: hold(held, matches) }, held.count, limits);
}

/** Closes the window once its time is over; until then, or without a window, nothing happens. */
export function closeWindow(state: WatchState, limits: WatchLimits): Step {
  return settle(state, state.held.count, limits);
}

/** This notice reports the held matches. */
export function reportMatches({ held }: WatchState, suppressed: number): WatchNotice {
  const { pattern = '', end = 0 } = held.first ?? {};
  return {
    key: `match:${end}`,
    kind: 'match',
    text: matchText(held, suppressed),
    output: held.lines.join('\n'),
    suppressed,
    matches: held.count,
    pattern,
    offset: end,
  };
}

/** `dropped`: matches that had to wait within the window that is over now. */
function settle(state: WatchState, dropped: number, limits: WatchLimits): Step {
  const { clock, windowAtMs, held } = state;
  if (windowAtMs !== null && clock.nowMs - windowAtMs < limits.windowMs) return { state, notices: [] };
  const strikes = dropped > 0 ? state.strikes + 1 : 0;
  const settled = { ...state, strikes, held: nothingHeld, windowAtMs: null };
  if (held.count === 0) return { state: settled, notices: [] };
  if (strikes >= limits.strikesMax) {
    return { state: { ...settled, patternsOff: true }, notices: [reportPatternsOff(held)] };
  }
  return { state: { ...settled, windowAtMs: clock.nowMs }, notices: [reportMatches(state, dropped)] };
}

function reportPatternsOff({ count, lines }: Held): WatchNotice {
  return {
    key: 'patterns-off',
    kind: 'patterns-off',
    text: patternsOffText(count),
    output: lines.join('\n'),
    suppressed: count,
    matches: count,
  };
}

function hold(held: Held, { count, first, lines }: Matches): Held {
  return {
    count: held.count + count,
    first: held.first ?? (first && { pattern: first.pattern, end: first.end }),
    lines: addToExcerpt(held.lines, lines),
  };
}
