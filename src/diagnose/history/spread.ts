/** The value below which this share of the sorted values lies, interpolated. */
export function quantile(sorted: readonly number[], share: number): number {
  const at = share * (sorted.length - 1);
  const low = sorted[Math.floor(at)] ?? 0;
  const high = sorted[Math.ceil(at)] ?? low;
  return low + (high - low) * (at - Math.floor(at));
}

export function sortedCopy(values: readonly number[]): number[] {
  return [...values].sort((a, b) => a - b);
}

export function median(values: readonly number[]): number {
  return quantile(sortedCopy(values), 0.5);
}

/** Runs on either side of a change. */
const changeRuns = 10;

/**
 * The values since the habits of the command changed: ten runs that are all longer, or all shorter, than the ten before
 * them. Without a change, ten runs in a row do this by chance once in 100,000 times.
 */
export function sinceChange(values: readonly number[]): readonly number[] {
  for (let at = values.length - changeRuns; at >= changeRuns; at--) {
    const before = values.slice(at - changeRuns, at);
    const after = values.slice(at, at + changeRuns);
    const isChange = Math.max(...before) < Math.min(...after) || Math.min(...before) > Math.max(...after);
    if (isChange) return values.slice(at);
  }
  return values;
}

/** What depends on how exactly runs are sampled. */
export interface Precision {
  /** Shorter times are all the same. */
  sampleMs: number;
  /** Never less than this is unusual. */
  activityMs: number;
}

/**
 * How far above the middle a run may lie, in units of the upper spread of the logarithms, so that fewer than one run in a
 * thousand is beyond twice the limit, also of a heavy-tailed distribution. Few runs say little about their spread.
 */
function reach(runs: number): number {
  return 6 + 20 / runs;
}

/** The middle of the logarithms, and how far those above it lie from it. Runs that were quick do not matter. */
function upperSpread(values: readonly number[], sampleMs: number): { middle: number; spread: number } {
  const logs = values.map((value) => Math.log(Math.max(1, sampleMs, value)));
  const middle = median(logs);
  const above = logs.filter((log) => log > middle);
  const squares = above.reduce((sum, log) => sum + (log - middle) ** 2, 0);
  return { middle, spread: Math.sqrt(squares / Math.max(1, above.length)) };
}

/** So many times the longest is unusual. */
const timesLongest = 3;
/** Values so scattered that only more times the longest would be unusual mean nothing. */
const timesLongestMax = 10;

/**
 * Longer than this is unusual: three times the longest, at least the window of activity (a minute), and more where the values are scattered. null:
 * too scattered to judge by.
 */
export function limitOf(values: readonly number[], { sampleMs, activityMs }: Precision): number | null {
  const { middle, spread } = upperSpread(values, sampleMs);
  const longestMs = Math.max(...values);
  const scatteredMs = Math.exp(middle + reach(values.length) * spread) / 2;
  if (scatteredMs > Math.max(activityMs, timesLongestMax * longestMs)) return null;
  return Math.max(activityMs, timesLongest * longestMs, scatteredMs);
}
