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

/** And what this run wants. */
export function watchLimits({ events, everyMs }: Pick<NoticeWishes, 'events' | 'everyMs'>): WatchLimits {
  return { windowMs: 15_000, strikesMax: 3, events, everyMs };
}

/** What holds for all runs together. */
export interface BreakerLimits {
  /** More than this within `windowMs` trip it. */
  noticesMax: number;
  windowMs: number;
  /** So long nothing that can be held back goes through. */
  openMs: number;
}

export const breakerLimits: BreakerLimits = { noticesMax: 15, windowMs: 10_000, openMs: 30_000 };
