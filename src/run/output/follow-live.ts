import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

/** More than the pipes between the command and this process hold. */
const onTheWayMax = 4 * 1024 * 1024;
const pollEveryMs = 10;
/** Without a byte for this long, it is not proven that nothing is on its way, but nothing comes either. */
const stillMsMax = 2000;

/** Passes on output that comes past the log. */
export class LiveOutput {
  /** Resolves at the end of the stream. */
  readonly ended: Promise<void>;
  bytes = 0;
  readonly #live: Readable;
  #isTaking = false;
  #isOver = false;

  /** `take` never fails. */
  constructor(live: Readable, take: (chunk: Buffer) => Promise<void>) {
    this.#live = live;
    this.ended = this.#follow(take);
  }

  get isUsed(): boolean {
    return this.bytes > 0 || this.#live.readableLength > 0;
  }

  /**
   * Resolves when all that was printed so far is passed on. `isDrained`: nothing is on its way to this process. Other
   * processes may print for ever, so there is a limit.
   */
  async present(isDrained: () => Promise<boolean>): Promise<void> {
    const most = this.bytes + onTheWayMax;
    let movedMs = performance.now();
    for (let isLast = false; !this.#isOver && this.bytes < most; ) {
      const before = this.bytes;
      const isNext = await isDrained();
      // What the drains have written before they were found idle is read in this time.
      await delay(pollEveryMs);
      const isStill = this.bytes === before && !this.#isTaking && this.#live.readableLength === 0;
      if (!isStill) movedMs = performance.now();
      if ((isStill && isNext && isLast) || performance.now() - movedMs > stillMsMax) return;
      isLast = isStill && isNext;
    }
  }

  async #follow(take: (chunk: Buffer) => Promise<void>): Promise<void> {
    try {
      for await (const chunk of this.#live as AsyncIterable<Buffer>) {
        this.#isTaking = true;
        this.bytes += chunk.length;
        await take(chunk);
        this.#isTaking = false;
      }
    } catch {
      // The stream was released here. Its later errors do not matter.
    }
    this.#isOver = true;
  }
}
