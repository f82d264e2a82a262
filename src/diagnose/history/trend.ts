import type { PastRun } from '../../model/run/past-run.js';
import { median, sortedCopy } from './spread.js';
import { isSuccess } from './usual.js';

/** A lasting change of how long a command takes. */
export interface Trend {
  /** 1.3: slower by 30 %. */
  ratio: number;
  /** The first run of the new time. */
  since: string;
}

const runsMin = 8;
/** Standard deviations of the rank sum: a change that is seen by chance in far fewer than one of 100 histories. */
const clear = 4;
/** Smaller changes are not worth a sentence. */
const ratioMin = 1.15;

/** The clearest change among successful runs, by their ranks; null: none is clear. */
export function trendOf(runs: readonly PastRun[]): Trend | null {
  const successful = runs.filter(isSuccess);
  const durations = successful.map(({ durationMs }) => durationMs);
  const ranks = ranksOf(durations);
  const total = ranks.length;
  let best = { score: 0, at: 0 };
  let sum = ranks.slice(0, runsMin - 1).reduce((all, rank) => all + rank, 0);
  for (let at = runsMin; at <= total - runsMin; at++) {
    sum += ranks[at - 1] as number;
    const spread = Math.sqrt((at * (total - at) * (total + 1)) / 12);
    const score = Math.abs(sum - (at * (total + 1)) / 2) / spread;
    if (score > best.score) best = { score, at };
  }
  const first = successful[best.at];
  if (best.score < clear || first === undefined) return null;
  const ratio = median(durations.slice(best.at)) / Math.max(1, median(durations.slice(0, best.at)));
  return Math.max(ratio, 1 / ratio) < ratioMin ? null : { ratio, since: first.startedAt };
}

/** 1 for the shortest; equal values share their middle rank. */
function ranksOf(values: readonly number[]): number[] {
  const sorted = sortedCopy(values);
  return values.map((value) => (sorted.indexOf(value) + sorted.lastIndexOf(value)) / 2 + 1);
}

const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const weekMs = 6 * 86_400_000;

/** `slower by 30 % since Tuesday`. */
export function trendWords({ ratio, since }: Trend, nowMs: number): string {
  const date = new Date(since);
  const isRecent = nowMs - date.getTime() < weekMs;
  const when = isRecent ? days[date.getDay()] : since.slice(0, 10);
  const percent = Math.round(Math.abs(ratio - 1) * 100);
  return `${ratio > 1 ? 'slower' : 'faster'} by ${percent} % since ${when}`;
}

/** So many times the median distance from the median is unusual for a single run. */
const distances = 6;

/** Ids of successful runs whose duration is far from the others. */
export function outliersOf(runs: readonly PastRun[]): ReadonlySet<string> {
  const successful = runs.filter(isSuccess);
  if (successful.length < runsMin) return new Set();
  const durations = successful.map(({ durationMs }) => durationMs);
  const middle = median(durations);
  const distance = median(durations.map((ms) => Math.abs(ms - middle)));
  // Where all runs are alike, a few percent are nothing.
  const limit = Math.max(distances * distance, middle * (ratioMin - 1) * 2);
  return new Set(
    successful.filter(({ durationMs }) => Math.abs(durationMs - middle) > limit).map(({ id }) => id),
  );
}
