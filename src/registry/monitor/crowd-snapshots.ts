import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { Snapshot } from '../../model/facts/snapshot.js';
import { FileHolders } from '../../probe/processes.js';
import { takeSnapshots } from '../../probe/snapshots.js';
import type { SnapshotPermit, SnapshotWish } from '../../run/health/snapshot-permit.js';
import {
  affords,
  costMsFirst,
  endow,
  inOrder,
  refill,
  snapshotsAtOnceMax,
  spend,
  startBudget,
} from './snapshot-budget.js';

/** How long `snapshotsAtOnceMax` snapshots take at once. */
const snapshotMsUsual = 500;
/** The snapshots of a tick take at most this share of the time until the next. */
const tickShare = 1 / 2;

interface Asking extends SnapshotWish {
  answer(permit: SnapshotPermit | null): void;
}

/** A snapshot in progress, and its share of the CPU time so far. */
interface Going {
  costMs: number;
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Takes snapshots for the runs of a daemon, many at a time, within a common CPU budget. */
export class CrowdSnapshots {
  readonly #holders = new FileHolders({ remember: true });
  readonly #going = new Set<Going>();
  #asking: Asking[] = [];
  #granted: Asking[] = [];
  #budget = startBudget(performance.now());
  #cpuMs = 0;

  /** CPU time of all snapshots so far, in milliseconds. */
  spentMs = 0;

  /** Number of snapshots so far. */
  get taken(): number {
    return this.#budget.snapshots;
  }

  /** Adds a run to the budget. */
  welcome(): void {
    this.#budget = endow(this.#budget);
  }

  /** Answered when all runs of this tick have made their requests. */
  readonly admit = (wish: SnapshotWish): Promise<SnapshotPermit | null> =>
    new Promise((answer) => this.#asking.push({ ...wish, answer }));

  /** Called when all requests of this tick are made. */
  async decide(sampleMs: number, runs: number): Promise<void> {
    const asking = inOrder(this.#asking, this.#budget.snapshots + this.#going.size);
    this.#asking = [];
    this.#budget = refill(this.#budget, performance.now(), runs);
    const inTime = Math.ceil((snapshotsAtOnceMax * sampleMs * tickShare) / snapshotMsUsual);
    for (const [index, wish] of asking.entries()) {
      const ahead = this.#going.size + this.#granted.length;
      if (index < inTime && affords(this.#budget, ahead)) this.#granted.push(wish);
      else wish.answer(null);
    }
    // The work of runs without a permit does not count as cost of snapshots.
    await letOthersRun();
    this.#begin();
  }

  /** Begins the next snapshots, all at once, when none is in progress. */
  #begin(): void {
    if (this.#going.size > 0) return;
    const next = this.#granted.splice(0, snapshotsAtOnceMax);
    // The snapshots before these may have cost more than expected. The refused runs will ask again.
    const tooMany = next.findIndex((_, index) => !affords(this.#budget, index));
    const refused = tooMany < 0 ? [] : [...next.splice(tooMany), ...this.#granted.splice(0)];
    for (const { answer } of refused) answer(null);
    this.#share();
    // The first snapshots find empty caches and uncompiled code.
    const isWarmUp = this.#budget.snapshots === 0;
    const members = new Map(next.map(({ pid, members }) => [pid, members]));
    const membersOf = (pid: number) => members.get(pid) ?? [];
    const pids = next.map(({ pid }) => pid);
    const snapshots = takeSnapshots(pids, { membersOf }, this.#holders);
    for (const [index, snapshot] of snapshots.entries()) {
      // A run that was removed meanwhile needs no error about its process.
      snapshot.catch(() => {});
      next[index]?.answer(this.#permit(snapshot, isWarmUp));
    }
  }

  #permit(snapshot: Promise<Snapshot>, isWarmUp: boolean): SnapshotPermit {
    const going: Going = { costMs: 0 };
    this.#going.add(going);
    return {
      snapshot,
      end: () => {
        this.#share();
        this.#going.delete(going);
        this.spentMs += going.costMs;
        const costMs = isWarmUp ? Math.min(going.costMs, costMsFirst) : going.costMs;
        this.#budget = spend(refill(this.#budget, performance.now()), costMs);
        this.#begin();
        return going.costMs;
      },
    };
  }

  /** Divides the CPU time since the last change among the snapshots in progress. */
  #share(): void {
    const now = cpuMs();
    for (const going of this.#going) going.costMs += (now - this.#cpuMs) / this.#going.size;
    this.#cpuMs = now;
  }
}
