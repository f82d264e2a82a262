import type { NoticeEvent, NoticeWishes } from '../../model/notice.js';

/** E1, E2: what is shown with a notice. */
export const outputLinesMax = 20;
export const outputCharsMax = 2000;

/** What holds for the notices of one run. */
export interface WatchLimits {
  /** E2: from one match notice to the next, at least. */
  windowMs: number;
  /** E3: so many windows in a row with matches that could not be told at once, and the patterns are off. */
  strikesMax: number;
  /** What the run wants to tell, besides matches. */
  events: readonly NoticeEvent[];
  /** E8; 0: none. */
  everyMs: number;
}

/** E2, E3, and what this run wants. */
export function watchLimits({ events, everyMs }: Pick<NoticeWishes, 'events' | 'everyMs'>): WatchLimits {
  return { windowMs: 15_000, strikesMax: 3, events, everyMs };
}

/** E4: what holds for all runs together. */
export interface BreakerLimits {
  /** More than this within `windowMs` trip it. */
  noticesMax: number;
  windowMs: number;
  /** So long nothing that can be held back goes through. */
  openMs: number;
}

export const breakerLimits: BreakerLimits = { noticesMax: 15, windowMs: 10_000, openMs: 30_000 };
