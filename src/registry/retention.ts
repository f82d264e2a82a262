import type { DaemonSettings } from '../config/daemon-settings.js';

/** How many ended runs stay, for how long, and how much disk all runs may use. */
export type Retention = Pick<DaemonSettings, 'keepMax' | 'keepMs' | 'diskBytesMax'>;

interface Retained {
  status: string;
  endedMs: number;
  keptBytes: number;
}

export interface RetainerOptions<Run> {
  runs(): Iterable<Run>;
  /** Something still goes on with a run that has ended. */
  isNeeded(run: Run): boolean;
  remove(run: Run): void;
}

const checkEveryMs = 60_000;

/** Removes ended runs when they need not be kept any longer. */
export class Retainer<Run extends Retained> {
  readonly #retention: Retention;
  readonly #options: RetainerOptions<Run>;
  readonly #timer = setInterval(() => this.#check(), checkEveryMs).unref();
  #isDue = false;

  constructor(retention: Retention, options: RetainerOptions<Run>) {
    this.#retention = retention;
    this.#options = options;
  }

  /** Many runs may end at the same time. */
  checkSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      this.#check();
    });
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #check(): void {
    const { runs, isNeeded, remove } = this.#options;
    for (const run of toGo(runs(), this.#retention, Date.now())) {
      if (!isNeeded(run)) remove(run);
    }
  }
}

/** The runs that need not be kept any longer, oldest first. A live run is never among them. */
export function toGo<Run extends Retained>(
  runs: Iterable<Run>,
  { keepMax, keepMs, diskBytesMax }: Retention,
  nowMs: number,
): Run[] {
  const all = [...runs];
  const ended = all.filter(({ status }) => status !== 'running').sort((a, b) => a.endedMs - b.endedMs);
  const spare = Math.max(0, ended.length - keepMax);
  let bytes = all.reduce((sum, { keptBytes }) => sum + keptBytes, 0);
  return ended.filter(({ endedMs, keptBytes }, index) => {
    const goes = index < spare || nowMs - endedMs > keepMs || bytes > diskBytesMax;
    if (goes) bytes -= keptBytes;
    return goes;
  });
}

/** How much output a run may keep, so that all live runs together keep to the limit; 0: everything. */
export function capOf(wantedBytes: number, { diskBytesMax }: Retention, live: number): number {
  const share = Math.floor(diskBytesMax / Math.max(1, live));
  return wantedBytes === 0 ? share : Math.min(wantedBytes, share);
}
