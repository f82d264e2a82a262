import type { DaemonLock } from './lock.js';
import type { Visits } from './visits.js';

/** Opens something once and shares it with all callers. A failure is not kept: the next call tries again. */
export class OpenOnce<T> {
  readonly #open: () => Promise<T>;
  #opening: Promise<T> | null = null;
  #opened: T | null = null;

  constructor(open: () => Promise<T>) {
    this.#open = open;
  }

  /** null: not open yet. */
  get opened(): T | null {
    return this.#opened;
  }

  get isOpening(): boolean {
    return this.#opening !== null && this.#opened === null;
  }

  get(): Promise<T> {
    this.#opening ??= this.#open().then(
      (opened) => {
        this.#opened = opened;
        return opened;
      },
      (error) => {
        this.#opening = null;
        throw error;
      },
    );
    return this.#opening;
  }
}

const checkEveryMsMax = 2000;

interface Watched {
  /** 0: the daemon never exits when idle. */
  idleMs: number;
  visits: Visits;
  lock: DaemonLock;
  isBusy(): boolean;
}

/** Why and when the daemon ends; the first reason wins. */
export class Departure {
  readonly reason: Promise<string>;
  #give: (reason: string) => void = () => {};

  constructor() {
    this.reason = new Promise((resolve) => {
      this.#give = resolve;
    });
  }

  ask(reason: string): void {
    this.#give(reason);
  }

  onSignals(): void {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => this.ask(signal));
  }

  /** Ends the daemon when it has been idle long enough, or when its state home was removed or replaced. */
  watch({ idleMs, visits, lock, isBusy }: Watched): void {
    setInterval(
      () => {
        if (!lock.holds) this.ask('the state home is gone');
        else if (idleMs > 0 && visits.quietMs >= idleMs && !isBusy()) this.ask('idle');
      },
      Math.min(checkEveryMsMax, (idleMs || checkEveryMsMax) / 4),
    );
  }
}
