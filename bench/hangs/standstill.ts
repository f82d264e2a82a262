import { read } from '../process-cost.js';

/**
 * How long the machine kept a tree from running: the kernel works on storage for one of its processes (state D), and
 * none of them has run meanwhile. A disk does not answer sooner because all times are divided by a factor.
 */
export class Standstill {
  longestMs = 0;
  #sinceMs: number | null = null;
  #lastMs = 0;
  #ran = '';

  look(nowMs: number, pids: readonly number[]): void {
    const isBlocked = pids.some((pid) => / D /.test(read(`/proc/${pid}/stat`).split(')').at(-1) ?? ''));
    // Only then: it is asked for often, and of every process.
    const ran = isBlocked ? pids.map((pid) => read(`/proc/${pid}/schedstat`)).join() : '';
    this.#sinceMs = isBlocked && ran === this.#ran ? (this.#sinceMs ?? this.#lastMs) : null;
    if (this.#sinceMs !== null) this.longestMs = Math.max(this.longestMs, nowMs - this.#sinceMs);
    this.#ran = ran;
    this.#lastMs = nowMs;
  }
}
