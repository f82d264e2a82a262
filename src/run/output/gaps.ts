/** The longest time between two outputs of a run, for runs that end before their first sample. */
export class Gaps {
  #lastMs = performance.now();
  #longestMs = 0;

  /** Output came at this time, on the clock of `performance.now()`. */
  note(atMs: number): void {
    this.#longestMs = Math.max(this.#longestMs, atMs - this.#lastMs);
    this.#lastMs = Math.max(this.#lastMs, atMs);
  }

  /** The time since the last output counts, too. */
  longestMs(nowMs: number): number {
    return Math.max(this.#longestMs, nowMs - this.#lastMs);
  }
}
