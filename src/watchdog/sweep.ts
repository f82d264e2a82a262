/** Time, as a test may want to make it. */
export interface Clock {
  /** Milliseconds that never jump. */
  now(): number;
  /** Gives back how to call it off. */
  after(ms: number, run: () => void): () => void;
}

/** Timers of Node end here. */
const timerMsMax = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, run) {
    let immediate: NodeJS.Immediate | undefined;
    const timer = setTimeout(() => {
      // After a turn of I/O: an end or an output that is already there counts before the time does.
      immediate = setImmediate(run);
    }, ms);
    return () => {
      clearTimeout(timer);
      clearImmediate(immediate);
    };
  },
};

export interface Swept {
  /** When it wants to be looked at; infinite: not at all. */
  readonly dueMs: number;
  /** `lateMs`: how much later than it wanted. Afterwards it has a new `dueMs`. */
  sweep(lateMs: number): void;
}

/** One timer for all watchdogs: whoever is due is looked at in the same go. */
export class Sweep {
  readonly clock: Clock;
  readonly #entries = new Set<Swept>();
  #armed: { forMs: number; cancel(): void } | null = null;

  constructor(clock: Clock = systemClock) {
    this.clock = clock;
  }

  /** Also when its `dueMs` has come nearer. */
  add(entry: Swept): void {
    this.#entries.add(entry);
    if (entry.dueMs < (this.#armed?.forMs ?? Number.POSITIVE_INFINITY)) this.#arm(entry.dueMs);
  }

  remove(entry: Swept): void {
    this.#entries.delete(entry);
    if (this.#entries.size === 0) this.#disarm();
  }

  get size(): number {
    return this.#entries.size;
  }

  #sweep(): void {
    this.#armed = null;
    const nowMs = this.clock.now();
    try {
      for (const entry of [...this.#entries]) {
        if (entry.dueMs <= nowMs && this.#entries.has(entry)) entry.sweep(nowMs - entry.dueMs);
      }
    } finally {
      let nextMs = Number.POSITIVE_INFINITY;
      for (const { dueMs } of this.#entries) nextMs = Math.min(nextMs, dueMs);
      if (Number.isFinite(nextMs)) this.#arm(nextMs);
    }
  }

  #arm(forMs: number): void {
    this.#disarm();
    const leftMs = Math.min(timerMsMax, Math.max(0, Math.ceil(forMs - this.clock.now())));
    this.#armed = { forMs, cancel: this.clock.after(leftMs, () => this.#sweep()) };
  }

  #disarm(): void {
    this.#armed?.cancel();
    this.#armed = null;
  }
}

/** That of the program. */
export const sharedSweep = new Sweep();
