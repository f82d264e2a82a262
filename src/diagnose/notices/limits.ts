import type { NoticeEvent, NoticeWishes } from '../../model/notice.js';

/** What is shown with a notice. */
export const outputLinesMax = 20;
export const outputCharsMax = 2000;

/** The limits for the notices of one run. */
export interface WatchLimits {
  /** Least time between two match notices. */
  windowMs: number;
  /** After this many windows in a row with matches that could not be reported at once, the patterns are off. */
  strikesMax: number;
  /** What the run reports, besides matches. */
  events: readonly NoticeEvent[];
  /** 0: no progress notices. */
  everyMs: number;
}

/** The limits with the wishes of this run. */
export function watchLimits({ events, everyMs }: Pick<NoticeWishes, 'events' | 'everyMs'>): WatchLimits {
  return { windowMs: 15_000, strikesMax: 3, events, everyMs };
}

/** The limits for all runs together. */
export interface BreakerLimits {
  /** More notices than this within `windowMs` trip the breaker. */
  noticesMax: number;
  windowMs: number;
  /** For this long, nothing that can be held back passes. */
  openMs: number;
}

export const breakerLimits: BreakerLimits = { noticesMax: 15, windowMs: 10_000, openMs: 30_000 };
