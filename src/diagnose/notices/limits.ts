import type { NoticeDraft, NoticeEvent, NoticeWishes } from '../../model/notice.js';
import { headOf, tailOf } from '../../text/head-and-tail.js';

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

/** A notice as the rules make it, without its run. The key is unique within the run, or among the notices of no run. */
export type WatchNotice = Omit<NoticeDraft, 'runId' | 'label' | 'task' | 'owner' | 'tags'>;

/** Adds to the first lines, up to the number shown with a notice; the last line may be cut. */
export function addToExcerpt(lines: readonly string[], more: readonly string[]): string[] {
  const excerpt = [...lines];
  let room = outputCharsMax - excerpt.reduce((sum, line) => sum + line.length + 1, 0);
  for (const line of more) {
    if (excerpt.length >= outputLinesMax || room <= 0) break;
    excerpt.push(headOf(line, room));
    room -= line.length + 1;
  }
  return excerpt;
}

/** The end of an output, up to the length shown with a notice. */
export function lastOf(output: string): string {
  return tailOf(output, outputCharsMax);
}

/** The last lines, up to the number shown with a notice. */
export function lastLinesOf(output: string): string {
  const ended = output.endsWith('\n') ? 1 : 0;
  return lastOf(
    output
      .split('\n')
      .slice(-outputLinesMax - ended)
      .join('\n'),
  );
}
