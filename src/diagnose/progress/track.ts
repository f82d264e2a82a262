import type { Reading, Source } from './reading.js';

/** A series of readings: its progress and its pace. Plain data. */
export interface Track {
  source: Source;
  text: string;
  /** null: the track advances, but does not count. */
  done: number | null;
  total: number | null;
  /** The tool reported that it is through. */
  ended: boolean;
  /** Lines were skipped: the count is a lower bound. */
  atLeast: boolean;
  /** The most recent texts: a repeated sign or item is no advance. */
  recent: string[];
  /** Consecutive advances. */
  advances: number;
  startedAtMs: number;
  seenAtMs: number;
  advancedAtMs: number;
  /** Work and time of the recent past; older values weigh less. */
  pace: { work: number; ms: number };
  /** The longest time for one step. */
  slowestMs: number;
}

const recentMax = 32;
/** The past counts half after this long, or after a fifth of the series so far. */
const halfLifeMs = 20_000;
/** A longer estimate is meaningless. */
const etaMaxMs = 7 * 86_400_000;

export function startTrack(source: Source, atMs: number): Track {
  return {
    source,
    text: '',
    done: null,
    total: null,
    ended: false,
    atLeast: false,
    recent: [],
    advances: 0,
    startedAtMs: atMs,
    seenAtMs: atMs,
    advancedAtMs: atMs,
    pace: { work: 0, ms: 0 },
    slowestMs: 0,
  };
}

/** The track after the next reading of the same series. */
export function advanceTrack(track: Track, source: Source, reading: Reading, atMs: number): Track {
  const seen = {
    // After its end, the same tool starts over.
    ...(track.ended ? startTrack(source, atMs) : track),
    source: { ...source, phase: source.phase ?? track.source.phase },
    seenAtMs: Math.max(track.seenAtMs, atMs),
  };
  switch (reading.says) {
    case 'measure':
      return measure(seen, reading, atMs);
    case 'item':
      return seen.recent.includes(reading.name)
        ? seen
        : count({ ...seen, recent: [...seen.recent, reading.name].slice(-recentMax) }, atMs);
    case 'total':
      return announce(seen, reading.total, atMs);
    case 'sign':
      return seen.recent.includes(reading.sign)
        ? seen
        : advance({ ...seen, recent: [reading.sign], text: reading.text }, 0, atMs);
    case 'end':
      return { ...seen, ended: true };
  }
}

function measure(track: Track, reading: Reading & { says: 'measure' }, atMs: number): Track {
  const { done } = reading;
  const total = reading.total ?? track.total;
  const next = withText({ ...track, done, total }, reading.total === null ? null : reading.text);
  if (track.done === null) return { ...next, advancedAtMs: atMs };
  if (done > track.done) return advance(next, done - track.done, atMs);
  if (done === track.done) return next;
  if (track.source.unordered) return track;
  // A custom pattern may count down.
  if (track.source.rank === 'custom' && total === null) return advance(next, 0, atMs);
  const again = { ...startTrack(track.source, atMs), done, total, text: next.text };
  // A weak number that falls is no progress; a tool's own number starts over.
  return track.source.rank === 'weak' ? { ...again, advancedAtMs: track.advancedAtMs } : again;
}

function count(track: Track, atMs: number): Track {
  const done = (track.done ?? 0) + 1;
  const next = { ...track, done: Math.min(done, track.total ?? done) };
  return withText(advance(next, 1, atMs), null);
}

/** A total at the beginning starts a series; a total at the end is its result. */
function announce(track: Track, total: number, atMs: number): Track {
  const { done } = track;
  if (!track.ended && track.total === null && done !== null && done <= total) {
    return withText({ ...track, total }, null);
  }
  return withText({ ...startTrack(track.source, atMs), done: 0, total }, null);
}

function advance(track: Track, work: number, atMs: number): Track {
  const ms = Math.max(0, atMs - track.advancedAtMs);
  const fade = 0.5 ** (ms / Math.max(halfLifeMs, (atMs - track.startedAtMs) / 5));
  return {
    ...track,
    advances: track.advances + 1,
    advancedAtMs: Math.max(track.advancedAtMs, atMs),
    pace: { work: track.pace.work * fade + work, ms: track.pace.ms * fade + ms },
    slowestMs: Math.max(track.slowestMs, ms),
  };
}

/** A track that is only counted has no text of its own. */
function withText(track: Track, own: string | null): Track {
  const { done, total, atLeast, source } = track;
  if (own !== null) return { ...track, text: own };
  if (total !== null && !atLeast) return { ...track, text: `${done}/${total}` };
  const unit = done === 1 && !atLeast ? source.unit.replace(/s$/, '') : source.unit;
  return { ...track, text: `${done}${atLeast ? '+' : ''} ${unit}`.trimEnd() };
}

/** Lines were skipped. */
export function miss(track: Track): Track {
  return track.recent.length > 0 && track.done !== null ? withText({ ...track, atLeast: true }, null) : track;
}

/** null: the track counts, but its total is not known. */
export function fractionOf({ done, total, atLeast }: Track): number | null {
  if (done === null || total === null || total <= 0 || atLeast) return null;
  return Math.min(1, Math.max(0, done / total));
}

export function isComplete(track: Track): boolean {
  return track.ended || fractionOf(track) === 1;
}

/** From the recent pace, including the time since the last step: a bar that stands still never shows `soon`. */
export function etaOf(track: Track, nowMs: number): number | null {
  const fraction = fractionOf(track);
  if (fraction === null || track.ended) return null;
  if (fraction === 1) return 0;
  const { pace, done, total, advances } = track;
  if (advances < 2 || pace.work <= 0 || pace.ms <= 0) return null;
  const idleMs = Math.max(0, nowMs - track.advancedAtMs);
  const etaMs = (((total ?? 0) - (done ?? 0)) * (pace.ms + idleMs)) / pace.work;
  return Number.isFinite(etaMs) && etaMs <= etaMaxMs ? Math.round(etaMs) : null;
}
