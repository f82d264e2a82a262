import type { DaemonLock } from './lock.js';
import type { Visits } from './visits.js';

const lookEveryMsMax = 2000;

interface Watched {
  /** 0: it stays for ever. */
  idleMs: number;
  visits: Visits;
  lock: DaemonLock;
  isBusy(): boolean;
}

/** Why and when the daemon ends; the first reason counts. */
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

  /** Nothing to do for long enough, or a state home that has been removed or replaced under us. */
  watch({ idleMs, visits, lock, isBusy }: Watched): void {
    setInterval(
      () => {
        if (!lock.holds) this.ask('the state home is gone');
        else if (idleMs > 0 && visits.quietMs >= idleMs && !isBusy()) this.ask('idle');
      },
      Math.min(lookEveryMsMax, (idleMs || lookEveryMsMax) / 4),
    );
  }
}
