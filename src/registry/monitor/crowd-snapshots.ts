import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { Snapshot } from '../../model/facts/snapshot.js';
import { FileHolders } from '../../probe/processes.js';
import { takeSnapshots } from '../../probe/snapshots.js';
import type { LookPermit, LookWish } from '../../run/health/vitals.js';
import {
  affords,
  costMsFirst,
  endow,
  inOrder,
  looksAtOnceMax,
  refill,
  spend,
  startBudget,
} from './snapshot-budget.js';

/** How long so many take at once. */
const looksMsUsual = 500;
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

/** Lets the runs of a daemon look deeper, many at a time, within what all looks together may cost. */
export class CrowdLooks {
  readonly #holders = new FileHolders({ remember: true });
  readonly #going = new Set<Going>();
  #asking: Asking[] = [];
  #granted: Asking[] = [];
  #budget = startBudget(performance.now());
  #cpuMs = 0;

  /** What looks took so far, in milliseconds of a CPU. */
  spentMs = 0;

  /** Looks so far. */
  get taken(): number {
    return this.#budget.looks;
  }

  /** There is one more run to look at. */
  welcome(): void {
    this.#budget = endow(this.#budget);
  }

  /** Answered when all runs of this tick have been heard. */
  readonly admit = (wish: LookWish): Promise<LookPermit | null> =>
    new Promise((answer) => this.#asking.push({ ...wish, answer }));

  /** Everybody who wants to look at this tick has asked. */
  async decide(sampleMs: number, runs: number): Promise<void> {
    const asking = inOrder(this.#asking, this.#budget.looks + this.#going.size);
    this.#asking = [];
    this.#budget = refill(this.#budget, performance.now(), runs);
    const inTime = Math.ceil((looksAtOnceMax * sampleMs * tickShare) / looksMsUsual);
    for (const [index, wish] of asking.entries()) {
      const ahead = this.#going.size + this.#granted.length;
      if (index < inTime && affords(this.#budget, ahead)) this.#granted.push(wish);
      else wish.answer(null);
    }
    // What those do who may not look is no cost of looking.
    await letOthersRun();
    this.#begin();
  }

  /** The next, all at once, when nobody is looking any more. */
  #begin(): void {
    if (this.#going.size > 0) return;
    const next = this.#granted.splice(0, looksAtOnceMax);
    // The looks before them may have cost more than expected: the rest will ask again.
    const tooMany = next.findIndex((_, index) => !affords(this.#budget, index));
    const refused = tooMany < 0 ? [] : [...next.splice(tooMany), ...this.#granted.splice(0)];
    for (const { answer } of refused) answer(null);
    this.#share();
    // The first ones find nothing remembered, and no code compiled.
    const isWarmUp = this.#budget.looks === 0;
    const members = new Map(next.map(({ pid, members }) => [pid, members]));
    const membersOf = (pid: number) => members.get(pid) ?? [];
    const pids = next.map(({ pid }) => pid);
    const snapshots = takeSnapshots(pids, { membersOf }, this.#holders);
    for (const [index, snapshot] of snapshots.entries()) {
      // Whoever has left meanwhile does not hear that the process has, too.
      snapshot.catch(() => {});
      next[index]?.answer(this.#permit(snapshot, isWarmUp));
    }
  }

  #permit(snapshot: Promise<Snapshot>, isWarmUp: boolean): LookPermit {
    const look: Going = { costMs: 0 };
    this.#going.add(look);
    return {
      snapshot,
      end: () => {
        this.#share();
        this.#going.delete(look);
        this.spentMs += look.costMs;
        const costMs = isWarmUp ? Math.min(look.costMs, costMsFirst) : look.costMs;
        this.#budget = spend(refill(this.#budget, performance.now()), costMs);
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
