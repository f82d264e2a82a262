/** What the user has declared about a command. 0: nothing. */
export interface Expected {
  outputEveryMs: number;
  doneInMs: number;
}

/** How long something took in earlier runs of a command. */
export interface UsualRange {
  /** The number of runs. */
  runs: number;
  longestMs: number;
  /** Longer than this is unusual; null: too scattered to judge by. */
  limitMs: number | null;
}

/** What earlier runs of a command were like. */
export interface Usual {
  /** Of runs that were successful. */
  duration: UsualRange & { medianMs: number; p95Ms: number };
  /** The longest silence of each run that ended by itself; null: too few runs. */
  silence: UsualRange | null;
  /** Durations of the last successful runs, oldest first. */
  recentMs: readonly number[];
  /** By which share estimates from the progress were off in these runs; null: not known. */
  etaError: number | null;
}

/** What is normal for a command. */
export interface Norms {
  expected: Expected;
  /** null: not known. */
  usual: Usual | null;
}

export const noNorms: Norms = { expected: { outputEveryMs: 0, doneInMs: 0 }, usual: null };
