import { setImmediate as letOthersRun } from 'node:timers/promises';

/** Reading for longer than this without a pause keeps requests waiting. */
const turnMsMax = 10;

/** Divides long reading into turns, between which other work has its turn. */
export class Turn {
  #beganMs = performance.now();
  #earlierMs = 0;
  readonly #cpuBefore = process.cpuUsage();

  get isOver(): boolean {
    return performance.now() - this.#beganMs > turnMsMax;
  }

  /** The time of all turns so far, without other work in between. */
  get spentMs(): number {
    return this.#earlierMs + performance.now() - this.#beganMs;
  }

  /** CPU time since the first turn: on a machine that is busy with other things, much less than has passed. */
  get cpuMs(): number {
    const { user, system } = process.cpuUsage(this.#cpuBefore);
    return (user + system) / 1000;
  }

  async next(): Promise<void> {
    this.#earlierMs = this.spentMs;
    await letOthersRun();
    this.#beganMs = performance.now();
  }
}
