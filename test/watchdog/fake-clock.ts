import type { Clock } from '../../src/watchdog/sweep.js';

/** Time that passes only when a test says so. */
export class FakeClock implements Clock {
  /** How many timers were ever set. */
  timersSet = 0;
  #nowMs = 0;
  #timers = new Set<{ atMs: number; run: () => void }>();

  now(): number {
    return this.#nowMs;
  }

  after(ms: number, run: () => void): () => void {
    const timer = { atMs: this.#nowMs + ms, run };
    this.#timers.add(timer);
    this.timersSet += 1;
    return () => this.#timers.delete(timer);
  }

  get timers(): number {
    return this.#timers.size;
  }

  /** Every timer that is due runs at its own time. */
  pass(ms: number): void {
    const untilMs = this.#nowMs + ms;
    for (;;) {
      const [next] = [...this.#timers].filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs);
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.run();
    }
    this.#nowMs = untilMs;
  }

  /** Time passes and no timer fires, as when the program is stopped or busy. */
  lose(ms: number): void {
    this.#nowMs += ms;
  }
}
