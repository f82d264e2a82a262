import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { LookPermit, LookWish } from '../vitals.js';
import { affords, inOrder, looksAtOnceMax, refill, spend, startBudget } from './look-budget.js';

/** A little more than the gap within one. */
const lookMsUsual = 100;
/** Looks of one tick take at most this part of the time until the next. */
const tickShare = 1 / 2;

interface Asking extends LookWish {
  answer(permit: LookPermit | null): void;
}

/** A look that goes on, and what of the CPU time so far is its. */
interface Going {
  costMs: number;
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Lets the runs of a daemon look deeper, a few at a time, within what all looks together may cost. */
export class CrowdLooks {
  readonly #going = new Set<Going>();
  #asking: Asking[] = [];
  #granted: Asking[] = [];
  #budget = startBudget(performance.now());
  #cpuMs = 0;

  /** What looks took so far, in milliseconds of a CPU. */
  spentMs = 0;

  /** Answered when all runs of this tick have been heard. */
  readonly admit = (wish: LookWish): Promise<LookPermit | null> =>
    new Promise((answer) => this.#asking.push({ ...wish, answer }));

  /** Everybody who wants to look at this tick has asked. */
  async decide(sampleMs: number): Promise<void> {
    const asking = inOrder(this.#asking, this.#budget.looks + this.#going.size);
    this.#asking = [];
    this.#budget = refill(this.#budget, performance.now());
    const inTime = Math.ceil((looksAtOnceMax * sampleMs * tickShare) / lookMsUsual);
    for (const [index, wish] of asking.entries()) {
      const ahead = this.#going.size + this.#granted.length;
      if (index < inTime && affords(this.#budget, ahead)) this.#granted.push(wish);
      else wish.answer(null);
    }
    // What those do who may not look is no cost of looking.
    await letOthersRun();
    this.#begin();
  }

  #begin(): void {
    while (this.#going.size < looksAtOnceMax) {
      const next = this.#granted.shift();
      if (next === undefined) return;
      // The looks before it may have cost more than expected.
      next.answer(affords(this.#budget, this.#going.size) ? this.#permit() : null);
    }
  }

  #permit(): LookPermit {
    this.#share();
    const look: Going = { costMs: 0 };
    this.#going.add(look);
    return {
      end: () => {
        this.#share();
        this.#going.delete(look);
        this.spentMs += look.costMs;
        this.#budget = spend(refill(this.#budget, performance.now()), look.costMs);
        this.#begin();
        return look.costMs;
      },
    };
  }

  /** What was used since the last change is shared by those that went on meanwhile. */
  #share(): void {
    const now = cpuMs();
    for (const look of this.#going) look.costMs += (now - this.#cpuMs) / this.#going.size;
    this.#cpuMs = now;
  }
}
