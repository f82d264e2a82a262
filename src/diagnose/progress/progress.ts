import type { Progress } from '../../model/run/run.js';
import type { Unfinished } from './lines.js';
import { type LineReading, readCustom, readLine } from './reading.js';
import type { Phase } from './recogniser.js';
import { advanceTrack, etaOf, fractionOf, isComplete, miss, startTrack, type Track } from './track.js';

/** Plain data: the recent series of readings, the most recent at the end. */
export interface ProgressState {
  tracks: readonly Track[];
}

export const startProgress: ProgressState = { tracks: [] };

const tracksMax = 16;
/** A weak number must have risen this often before it is believed. */
const weakAdvances = 3;
/** A pause of up to this many times the longest step so far is not a stall. */
const patienceSteps = 3;

/** Takes in a line of output. `custom` takes the place of the built-in recognisers. */
export function advanceProgress(
  state: ProgressState,
  line: string,
  atMs: number,
  custom?: RegExp,
): ProgressState {
  const read = custom === undefined ? readLine(line) : readCustom(line, custom);
  return read === null ? state : takeIn(state, read, atMs);
}

/**
 * Takes in the line that has not ended: a bar counts, and so does a further dot; the beginning of a number does not.
 */
export function glanceProgress(
  state: ProgressState,
  { text, repainted }: Unfinished,
  atMs: number,
  custom?: RegExp,
): ProgressState {
  const read = custom === undefined ? readLine(text) : readCustom(text, custom);
  if (read === null) return state;
  const { reading, source } = read;
  const counts = repainted
    ? reading.says === 'measure' || reading.says === 'sign'
    : reading.says === 'sign' && source.rank !== 'custom';
  return counts ? takeIn(state, read, atMs) : state;
}

function takeIn(state: ProgressState, { source, reading }: LineReading, atMs: number): ProgressState {
  if (reading.says === 'end') {
    return {
      tracks: state.tracks.map((track) =>
        track.source.tool === source.tool ? { ...track, ended: true } : track,
      ),
    };
  }
  const known = state.tracks.find((track) => track.source.key === source.key);
  const track = advanceTrack(known ?? startTrack(source, atMs), source, reading, atMs);
  return { tracks: [...state.tracks.filter((other) => other !== known), track].slice(-tracksMax) };
}

/** Lines were skipped: a count of lines becomes a lower bound. */
export function missLines(state: ProgressState): ProgressState {
  return { tracks: state.tracks.map(miss) };
}

/** The progress that the output reports; null: nothing that is worth showing. */
export function readProgress(state: ProgressState, nowMs: number): Progress | null {
  const track = shown(state);
  if (track === null) return null;
  return { text: track.text, fraction: fractionOf(track), etaMs: etaOf(track, nowMs) };
}

/** The phase the output itself names; null: no phase. */
export function phaseOfProgress(state: ProgressState): Phase | null {
  const latest = latestAdvanced(
    state.tracks.filter((track) => track.source.phase !== null && isBelieved(track)),
  );
  return latest === null || isComplete(latest) ? null : latest.source.phase;
}

/**
 * When the signature last advanced; null: there is no signature to judge by. Counts without an end, full bars and tools
 * that are through do not count: what comes after them is something else, not a stall.
 */
export function advancedAtMs(state: ProgressState): number | null {
  return signature(state)?.advancedAtMs ?? null;
}

/** A shorter pause is only a slow step. */
export function patienceMs(state: ProgressState): number {
  return patienceSteps * (signature(state)?.slowestMs ?? 0);
}

function signature({ tracks }: ProgressState): { advancedAtMs: number; slowestMs: number } | null {
  const latest = latestAdvanced(tracks.filter(isBelieved));
  if (latest === null) return null;
  if (latest.source.rank === 'custom') return isComplete(latest) ? null : latest;
  if (latest.done !== null) return isJudged(latest) ? latest : null;
  // Signs of life of a tool (dots, names) count for its own bar.
  const bar = tracks.findLast((track) => track.source.tool === latest.source.tool && isJudged(track));
  if (bar === undefined) return null;
  return { advancedAtMs: latest.advancedAtMs, slowestMs: Math.max(bar.slowestMs, latest.slowestMs) };
}

function isBelieved({ source, advances }: Track): boolean {
  return source.rank !== 'weak' || advances >= weakAdvances;
}

function isJudged(track: Track): boolean {
  const { source, advances, total, seenAtMs } = track;
  if (total === null || track.atLeast || isComplete(track) || advances === 0) return false;
  // A series that is no longer printed was abandoned, not stopped.
  return source.rank !== 'weak' || (advances >= weakAdvances && seenAtMs > track.advancedAtMs);
}

function latestAdvanced(tracks: readonly Track[]): Track | null {
  return tracks.reduce<Track | null>(
    (best, track) => (best === null || track.advancedAtMs >= best.advancedAtMs ? track : best),
    null,
  );
}

const ranks: Record<Track['source']['rank'], number> = { custom: 0, main: 1, detail: 2, weak: 3 };

function shown({ tracks }: ProgressState): Track | null {
  const [best] = tracks
    .filter((track) => track.text !== '' && !isPassing(track, tracks))
    .toSorted(
      (a, b) =>
        Number(isComplete(a)) - Number(isComplete(b)) ||
        Number(fractionOf(a) === null) - Number(fractionOf(b) === null) ||
        ranks[a.source.rank] - ranks[b.source.rank] ||
        b.advancedAtMs - a.advancedAtMs,
    );
  return best ?? null;
}

/** A number in passing (a line cut short, a number in a sentence): other series have advanced since. */
function isPassing(track: Track, tracks: readonly Track[]): boolean {
  const weak = track.source.rank === 'weak';
  if (weak && track.advances === 0) return true;
  if (!weak && track.advances > 0) return false;
  return tracks.some(
    (other) => other !== track && other.source.rank !== 'weak' && other.seenAtMs > track.advancedAtMs,
  );
}
