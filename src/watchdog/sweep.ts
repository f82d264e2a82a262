/** A clock that a test can replace. */
export interface Clock {
  /** Milliseconds of a clock that never jumps. */
  now(): number;
  /** Returns a function that cancels it. */
  after(ms: number, run: () => void): () => void;
}

/** The longest delay of a Node timer. */
const timerMsMax = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, run) {
    let immediate: NodeJS.Immediate | undefined;
    const timer = setTimeout(() => {
      // Runs after a turn of I/O, so that an end or output that is already there counts before the time does.
      immediate = setImmediate(run);
    }, ms);
    return () => {
      clearTimeout(timer);
      clearImmediate(immediate);
    };
  },
};

export interface Swept {
  /** When the next poll is due; infinite: never. */
  readonly dueMs: number;
  /** `lateMs`: how much later than `dueMs` the poll is. Afterwards the entry has a new `dueMs`. */
  sweep(lateMs: number): void;
}

/** A shared timer for all watchdogs. All entries that are due are polled in the same turn. */
export class Sweep {
  readonly clock: Clock;
  readonly #entries = new Set<Swept>();
  #armed: { forMs: number; cancel(): void } | null = null;

  constructor(clock: Clock = systemClock) {
    this.clock = clock;
  }

  /** Also called when its `dueMs` has moved earlier. */
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

/** Shared by the whole program. */
export const sharedSweep = new Sweep();
