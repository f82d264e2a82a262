/** What is known of the longest silence of a run: it lies between these. */
export interface Silence {
  leastMs: number;
  mostMs: number;
}

/**
 * The longest time without output. Where a log is polled, the first output after a silence came at some time since the last
 * poll. Times are on the clock of `performance.now()`.
 */
export class Gaps {
  #lastMs: number;
  #leastMs = 0;
  #mostMs: number;

  /** `unseenMs`: the run has lasted for this long, and its silences were not observed. */
  constructor(unseenMs = 0) {
    this.#lastMs = performance.now();
    this.#mostMs = unseenMs;
  }

  /** The last output came at `atMs`, and none before `quietUntilMs`. */
  note(atMs: number, quietUntilMs = atMs): void {
    this.quiet(quietUntilMs);
    this.#mostMs = Math.max(this.#mostMs, atMs - this.#lastMs);
    this.#lastMs = Math.max(this.#lastMs, atMs);
  }

  /** Nothing came until then. */
  quiet(untilMs: number): void {
    this.#leastMs = Math.max(this.#leastMs, untilMs - this.#lastMs);
  }

  /** Stopped and paused time does not count as silence. */
  skip(toMs: number): void {
    this.#lastMs = Math.max(this.#lastMs, toMs);
  }

  /** The time since the last output counts, too. */
  longest(endMs: number): Silence {
    const sinceMs = endMs - this.#lastMs;
    return { leastMs: Math.max(this.#leastMs, sinceMs), mostMs: Math.max(this.#mostMs, sinceMs) };
  }
}

/**
 * The longest silence as a history learns it: never longer than it was. null: it was looked at too rarely for so short a
 * run.
 */
export function learnedSilence({ leastMs, mostMs }: Silence, elapsedMs: number): number | null {
  const [least, most] = [leastMs, mostMs].map((ms) => Math.min(elapsedMs, Math.max(0, ms))) as [
    number,
    number,
  ];
  return most - least > elapsedMs / 2 ? null : Math.round(least);
}
