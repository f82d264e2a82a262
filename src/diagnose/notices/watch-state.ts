import { patternCharsMax } from '../../text/outside-pattern.js';
import { outputCharsMax, outputLinesMax } from './limits.js';
import {
  advanceClock,
  type Clock,
  countOf,
  fieldsOf,
  flagOf,
  listOf,
  momentOf,
  orNull,
  readClock,
  readOr,
  startClock,
  textOf,
} from './saved.js';

/** Troubles of a run, as reported by its health. */
export const troubles = ['needs-input', 'stuck', 'stalled'] as const;

export type Trouble = (typeof troubles)[number];

/** Matches that wait for the next notice. */
export interface Held {
  count: number;
  first: { pattern: string; end: number } | null;
  /** The first matching lines. */
  lines: string[];
}

export interface Episodes {
  count: number;
  open: boolean;
}

/** Plain JSON, kept in the directory of the run. Times are of its own clock (saved.ts). */
export interface WatchState {
  version: 1;
  clock: Clock;
  /** Bytes of output whose lines were searched: the next daemon goes on there. */
  searchedTo: number;
  held: Held;
  /** When the last match was reported, while its window is open. */
  windowAtMs: number | null;
  strikes: number;
  patternsOff: boolean;
  /** One of the patterns is no longer searched for. */
  patternLost: boolean;
  episodes: Record<Trouble, Episodes>;
  progress: { number: number; atMs: number; lines: number };
  ended: boolean;
}

export const nothingHeld: Held = { count: 0, first: null, lines: [] };

const noEpisode: Episodes = { count: 0, open: false };

export const startWatch: WatchState = {
  version: 1,
  clock: startClock,
  searchedTo: 0,
  held: nothingHeld,
  windowAtMs: null,
  strikes: 0,
  patternsOff: false,
  patternLost: false,
  episodes: { 'needs-input': noEpisode, stuck: noEpisode, stalled: noEpisode },
  progress: { number: 0, atMs: 0, lines: 0 },
  ended: false,
};

/** A fresh state counts from the start of the run, even if another daemon watched the run then. */
export function beginWatch(state: WatchState, startedMs: number): WatchState {
  return state.clock.wallMs === null ? { ...state, clock: advanceClock(state.clock, startedMs) } : state;
}

/** Reads a saved state; a fresh state when the value is not a result of `advanceWatch`. */
export function readWatchState(value: unknown): WatchState {
  return readOr(startWatch, () => {
    const fields = fieldsOf(value);
    if (fields.version !== 1) throw new TypeError('another version');
    const clock = readClock(fields.clock);
    const past = (moment: unknown) => momentOf(moment, clock.nowMs);
    const episodes = fieldsOf(fields.episodes);
    const progress = fieldsOf(fields.progress);
    return {
      version: 1,
      clock,
      searchedTo: countOf(fields.searchedTo),
      held: readHeld(fields.held),
      windowAtMs: orNull(fields.windowAtMs, past),
      strikes: countOf(fields.strikes),
      patternsOff: flagOf(fields.patternsOff),
      // Absent in states that were saved before patterns could be lost.
      patternLost: flagOf(fields.patternLost ?? false),
      episodes: {
        'needs-input': readEpisodes(episodes['needs-input']),
        stuck: readEpisodes(episodes.stuck),
        stalled: readEpisodes(episodes.stalled),
      },
      progress: {
        number: countOf(progress.number),
        atMs: past(progress.atMs),
        lines: countOf(progress.lines),
      },
      ended: flagOf(fields.ended),
    };
  });
}

function readHeld(value: unknown): Held {
  const { count, first, lines } = fieldsOf(value);
  return {
    count: countOf(count),
    first: orNull(first, (match) => {
      const { pattern, end } = fieldsOf(match);
      return { pattern: textOf(pattern, patternCharsMax), end: countOf(end) };
    }),
    lines: listOf(lines, outputLinesMax, (line) => textOf(line, outputCharsMax)),
  };
}

function readEpisodes(value: unknown): Episodes {
  const { count, open } = fieldsOf(value);
  return { count: countOf(count), open: flagOf(open) };
}
