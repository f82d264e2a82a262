import type { WallClock } from '../../src/notices/wall-clock.js';

interface Due {
  atMs: number;
  then(): void;
}

/** Time that stands still until it is moved. */
export class HandClock implements WallClock {
  #nowMs = Date.now();
  readonly #due = new Set<Due>();

  nowMs(): number {
    return this.#nowMs;
  }

  after(ms: number, then: () => void): () => void {
    const due = { atMs: this.#nowMs + ms, then };
    this.#due.add(due);
    return () => this.#due.delete(due);
  }

  /** Whatever comes due on the way happens at its moment, and in order. */
  move(ms: number): void {
    const endMs = this.#nowMs + ms;
    for (;;) {
      const [next] = [...this.#due].sort((a, b) => a.atMs - b.atMs);
      if (next === undefined || next.atMs > endMs) break;
      this.#due.delete(next);
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.then();
    }
    this.#nowMs = endMs;
  }
}
