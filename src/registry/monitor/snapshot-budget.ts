import type { SnapshotWish } from '../../run/health/snapshot-permit.js';
import { urgencies } from '../../run/health/snapshot-policy.js';

type Waiting = Pick<SnapshotWish, 'urgency' | 'sinceMs'>;

/** The share of a core that all snapshots of a daemon may take over time. */
export const snapshotShare = 1 / 150;
/** With many runs, the ticks alone take most of the CPU time that a daemon may use. */
const snapshotShareOfMany = 1 / 400;
const manyRuns = 200;
/**
 * CPU time that may be used at once and is then saved up again. With few runs, each gets snapshots as if it were alone.
 */
export const snapshotBurstMs = 600;
/** Snapshots taken at once share the search for the peers of pipes and sockets, which is most of their cost. */
export const snapshotsAtOnceMax = 100;
/** The assumed cost of a snapshot before any is measured. Each new run adds this much to the budget. */
export const costMsFirst = 5;
/** The weight of the last snapshot in the expected cost of the next. */
const costWeight = 1 / 4;

/** CPU time that snapshots may take, as an immutable value. */
export interface SnapshotBudget {
  /** Negative: the last snapshots took more than was left. */
  readonly leftMs: number;
  readonly atMs: number;
  /** The expected cost of a snapshot. */
  readonly costMs: number;
  /** Number of snapshots so far. */
  readonly snapshots: number;
}

export function startBudget(atMs: number): SnapshotBudget {
  return { leftMs: snapshotBurstMs, atMs, costMs: costMsFirst, snapshots: 0 };
}

export function refill(budget: SnapshotBudget, atMs: number, runs = 1): SnapshotBudget {
  const share = runs > manyRuns ? snapshotShareOfMany : snapshotShare;
  const earnedMs = Math.max(0, atMs - budget.atMs) * share;
  const mostMs = Math.max(snapshotBurstMs, budget.leftMs);
  return { ...budget, leftMs: Math.min(mostMs, budget.leftMs + earnedMs), atMs };
}

/** Adds a run. Its start took several times as much CPU time as its first snapshot will. */
export function endow(budget: SnapshotBudget): SnapshotBudget {
  return { ...budget, leftMs: budget.leftMs + costMsFirst };
}

export function spend(budget: SnapshotBudget, costMs: number): SnapshotBudget {
  return {
    ...budget,
    leftMs: budget.leftMs - costMs,
    costMs: budget.costMs + (costMs - budget.costMs) * costWeight,
    snapshots: budget.snapshots + 1,
  };
}

/** Whether another snapshot may begin while `going` snapshots are in progress. */
export function affords({ leftMs, costMs }: SnapshotBudget, going: number): boolean {
  return leftMs - going * costMs > 0;
}

/** A snapshot in this many goes to the request that has waited longest, so that no request waits for ever. */
const fairTurn = 4;

/** Most urgent first, then longest waiting first; `snapshots`: number of snapshots before. */
export function inOrder<Wish extends Waiting>(wishes: readonly Wish[], snapshots: number): Wish[] {
  const byAge = [...wishes].sort((a, b) => a.sinceMs - b.sinceMs);
  const rank = ({ urgency }: Waiting) => urgencies.indexOf(urgency);
  const byRank = [...byAge].sort((a, b) => rank(a) - rank(b));
  const order = new Set<Wish>();
  const places = { age: byAge.values(), rank: byRank.values() };
  while (order.size < wishes.length) {
    const next = (snapshots + order.size) % fairTurn === fairTurn - 1 ? places.age : places.rank;
    const { value, done } = next.next();
    if (done === true) break;
    order.add(value);
  }
  return [...new Set([...order, ...byRank])];
}
