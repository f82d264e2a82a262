import type { Usual } from '../../model/run/norms.js';
import type { PastRun } from '../../model/run/past-run.js';
import { limitOf, median, type Precision, quantile, sinceChange, sortedCopy } from './spread.js';

/** Fewer successful runs than this say nothing. */
const runsMin = 5;
/** The middle of the last runs is what is usual now: after ten runs with other habits, it is theirs. */
const recentRuns = 19;
/** As a shell reports a signal. */
const signalCodes = 128;

/** What earlier runs of a command were like, oldest first; null: too few. Pure. */
export function usualOf(runs: readonly PastRun[], precision: Precision): Usual | null {
  const durations = successfulDurations(runs);
  if (durations.length < runsMin) return null;
  const lasting = sinceChange(durations);
  const silences = sinceChange(runs.filter(endedByItself).flatMap((run) => silenceOf(run, precision)));
  const recent = sortedCopy(lasting.slice(-recentRuns));
  return {
    duration: {
      runs: lasting.length,
      medianMs: Math.round(quantile(recent, 0.5)),
      p95Ms: Math.round(quantile(recent, 0.95)),
      longestMs: Math.max(...lasting),
      limitMs: limitOf(lasting, precision),
    },
    silence:
      silences.length < runsMin
        ? null
        : { runs: silences.length, longestMs: Math.max(...silences), limitMs: limitOf(silences, precision) },
    recentMs: lasting.slice(-recentRuns),
    etaError: etaErrorIn(runs),
  };
}

/** Of so few runs the error of estimates means nothing. */
const etaRunsMin = 3;

function etaErrorIn(runs: readonly PastRun[]): number | null {
  const errors = runs.filter(isSuccess).flatMap(({ etaError }) => etaError ?? []);
  return errors.length < etaRunsMin ? null : median(errors.slice(-recentRuns));
}

export function successfulDurations(runs: readonly PastRun[]): number[] {
  return runs.filter(isSuccess).map(({ durationMs }) => durationMs);
}

export function isSuccess({ outcome, exit }: PastRun): boolean {
  return outcome === 'exited' && exit.code === 0;
}

/** A run that was stopped may have been stuck: its silence is no habit. */
function endedByItself({ outcome, exit }: PastRun): boolean {
  return outcome === 'exited' && exit.signal === null && exit.code !== null && exit.code <= signalCodes;
}

/** Where it is not known, it is at most the duration. */
function silenceOf({ longestSilenceMs, durationMs }: PastRun, { activityMs }: Precision): number | [] {
  return longestSilenceMs ?? (durationMs < activityMs ? durationMs : []);
}
