import type { Estimate } from '../../model/run/estimate.js';
import type { Usual } from '../../model/run/norms.js';
import type { Progress } from '../../model/run/run.js';
import { median } from './spread.js';

interface Guess {
  leftMs: number;
  /** null: not known. */
  errorMs: number | null;
}

/** Without experience with its progress, a history that is off by no more than this share is believed first. */
const closeShare = 0.25;

/** How far a run has come: by its own progress or by earlier runs, whichever was closer in the past. null: not known. */
export function estimateOf(
  elapsedMs: number,
  usual: Usual | null,
  progress: Progress | null,
): Estimate | null {
  const usualMs = usual?.duration.medianMs ?? null;
  const byHistory = usual === null ? null : guessByHistory(elapsedMs, usual);
  const byProgress = guessByProgress(progress, usual);
  const best = better(byHistory, byProgress, elapsedMs);
  if (best === null) {
    return usualMs === null ? null : { usualMs, fraction: null, leftMs: null, errorMs: null, from: null };
  }
  const { leftMs, errorMs } = best;
  const isProgress = best === byProgress;
  const share = elapsedMs / Math.max(1, elapsedMs + leftMs);
  return {
    usualMs,
    fraction: isProgress ? (progress?.fraction ?? share) : share,
    leftMs: Math.round(leftMs),
    errorMs: errorMs === null ? null : Math.round(errorMs),
    from: isProgress ? 'progress' : 'history',
  };
}

/** The middle of the earlier runs that took longer than this one so far. null: none did, or they are too scattered. */
function guessByHistory(elapsedMs: number, { recentMs, duration }: Usual): Guess | null {
  const longer = recentMs.filter((ms) => ms > elapsedMs);
  if (longer.length === 0 || duration.limitMs === null) return null;
  const endMs = median(longer);
  // Of one or two runs alone the spread means nothing.
  const compared = longer.length < 3 ? recentMs : longer;
  const middleMs = median(compared);
  return { leftMs: endMs - elapsedMs, errorMs: median(compared.map((ms) => Math.abs(ms - middleMs))) };
}

function guessByProgress(progress: Progress | null, usual: Usual | null): Guess | null {
  if (progress === null || progress.etaMs === null) return null;
  const { etaMs } = progress;
  const share = usual?.etaError ?? null;
  return { leftMs: etaMs, errorMs: share === null ? null : share * etaMs };
}

function better(byHistory: Guess | null, byProgress: Guess | null, elapsedMs: number): Guess | null {
  if (byHistory === null || byProgress === null) return byHistory ?? byProgress;
  const historyMs = byHistory.errorMs ?? 0;
  if (byProgress.errorMs !== null) return byProgress.errorMs < historyMs ? byProgress : byHistory;
  return historyMs <= closeShare * (elapsedMs + byHistory.leftMs) ? byHistory : byProgress;
}

/** What progress promised at one moment of a run. */
export interface Promised {
  elapsedMs: number;
  etaMs: number;
}

/** The last part of a run is left out: there a share of almost nothing says nothing. */
const countedShare = 0.95;

/** By which share the estimates of a run were off, in the middle; null: there were too few. */
export function etaErrorOf(promised: readonly Promised[], durationMs: number): number | null {
  const errors = promised
    .filter(({ elapsedMs }) => elapsedMs < countedShare * durationMs)
    .map(({ elapsedMs, etaMs }) => Math.abs(elapsedMs + etaMs - durationMs) / (durationMs - elapsedMs));
  return errors.length < 2 ? null : Math.round(median(errors) * 100) / 100;
}
