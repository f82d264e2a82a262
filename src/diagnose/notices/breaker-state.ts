import {
  type Clock,
  countOf,
  fieldsOf,
  listOf,
  momentOf,
  orNull,
  readClock,
  readOr,
  startClock,
  textOf,
} from './saved.js';

/** This many runs have a count of their own; further runs count in the sum. */
export const runsMax = 100;
const runIdCharsMax = 64;
/** More than any limit: older times are not kept. */
const toldMax = 10_000;

/** The state while the breaker is tripped. */
export interface Tripped {
  atMs: number;
  suppressed: number;
  runs: { runId: string; suppressed: number }[];
}

/** Plain JSON. Times are of its own clock (saved.ts). */
export interface BreakerState {
  version: 1;
  clock: Clock;
  /** Times of the notices that count, within the window. */
  told: number[];
  /** How often it has tripped. */
  trips: number;
  tripped: Tripped | null;
}

export const startBreaker: BreakerState = {
  version: 1,
  clock: startClock,
  told: [],
  trips: 0,
  tripped: null,
};

/** Reads a saved state; a fresh state when the value is not a result of `advanceBreaker`. */
export function readBreakerState(value: unknown): BreakerState {
  return readOr(startBreaker, () => {
    const fields = fieldsOf(value);
    if (fields.version !== 1) throw new TypeError('another version');
    const clock = readClock(fields.clock);
    const past = (moment: unknown) => momentOf(moment, clock.nowMs);
    return {
      version: 1,
      clock,
      told: listOf(fields.told, toldMax, past),
      trips: countOf(fields.trips),
      tripped: orNull(fields.tripped, (tripped) => {
        const { atMs, suppressed, runs } = fieldsOf(tripped);
        return { atMs: past(atMs), suppressed: countOf(suppressed), runs: listOf(runs, runsMax, readRun) };
      }),
    };
  });
}

function readRun(value: unknown): Tripped['runs'][number] {
  const { runId, suppressed } = fieldsOf(value);
  return { runId: textOf(runId, runIdCharsMax), suppressed: countOf(suppressed) };
}
