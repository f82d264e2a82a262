import type { OutputTail } from '../output/output-tail.js';

/** Whether the output of a run makes progress, checked once per heartbeat. A stall lasts until something is printed. */
export class StallMonitor {
  readonly #tail: Pick<OutputTail, 'bytes' | 'beat'>;
  readonly #heartbeatMs: number;
  #beatMs = 0;
  #stalledAt = 0;
  #reason: string | null = null;

  constructor(tail: Pick<OutputTail, 'bytes' | 'beat'>, heartbeatMs: number) {
    this.#tail = tail;
    this.#heartbeatMs = heartbeatMs;
  }

  /** null: the output has not stalled. */
  get reason(): string | null {
    return this.#reason;
  }

  /** Returns a reason if this heartbeat found the output stalled. */
  check(elapsedMs: number): string | null {
    const tail = this.#tail;
    if (tail.bytes !== this.#stalledAt) this.#reason = null;
    if (performance.now() - this.#beatMs < this.#heartbeatMs) return null;
    this.#beatMs = performance.now();
    const stalled = tail.beat(elapsedMs);
    if (stalled === null) return null;
    this.#reason = stalled;
    this.#stalledAt = tail.bytes;
    return stalled;
  }
}
