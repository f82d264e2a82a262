import { urgencies } from '../../run/health/snapshot-policy.js';
import type { LookWish } from '../../run/health/vitals.js';

type Waiting = Pick<LookWish, 'urgency' | 'sinceMs'>;

/** The share of a core that all snapshots of a daemon may take over time. */
export const lookShare = 1 / 150;
/** With many runs, the ticks alone take most of the CPU time that a daemon may use. */
const lookShareOfMany = 1 / 400;
const manyRuns = 200;
/**
 * CPU time that may be used at once and is then saved up again. With few runs, each gets snapshots as if it were alone.
 */
export const lookBurstMs = 600;
/** Snapshots taken at once share the search for the peers of pipes and sockets, which is most of their cost. */
export const looksAtOnceMax = 100;
/** The assumed cost of a snapshot before any is measured. Each new run adds this much to the budget. */
export const costMsFirst = 5;
/** The weight of the last snapshot in the expected cost of the next. */
const costWeight = 1 / 4;

/** CPU time that snapshots may take, as an immutable value. */
export interface LookBudget {
  /** Negative: the last snapshots took more than was left. */
  readonly leftMs: number;
  readonly atMs: number;
  /** The expected cost of a snapshot. */
  readonly costMs: number;
  /** Number of snapshots so far. */
  readonly looks: number;
}

export function startBudget(atMs: number): LookBudget {
  return { leftMs: lookBurstMs, atMs, costMs: costMsFirst, looks: 0 };
}

export function refill(budget: LookBudget, atMs: number, runs = 1): LookBudget {
  const share = runs > manyRuns ? lookShareOfMany : lookShare;
  const earnedMs = Math.max(0, atMs - budget.atMs) * share;
  const mostMs = Math.max(lookBurstMs, budget.leftMs);
  return { ...budget, leftMs: Math.min(mostMs, budget.leftMs + earnedMs), atMs };
}

/** Adds a run. Its start took several times as much CPU time as its first snapshot will. */
export function endow(budget: LookBudget): LookBudget {
  return { ...budget, leftMs: budget.leftMs + costMsFirst };
}

export function spend(budget: LookBudget, costMs: number): LookBudget {
  return {
    ...budget,
    leftMs: budget.leftMs - costMs,
    costMs: budget.costMs + (costMs - budget.costMs) * costWeight,
    looks: budget.looks + 1,
  };
}

/** Whether another snapshot may begin while `going` snapshots are in progress. */
export function affords({ leftMs, costMs }: LookBudget, going: number): boolean {
  return leftMs - going * costMs > 0;
}

/** A snapshot in this many goes to the request that has waited longest, so that no request waits for ever. */
const fairTurn = 4;

/** Most urgent first, then longest waiting first; `looks`: number of snapshots before. */
export function inOrder<Wish extends Waiting>(wishes: readonly Wish[], looks: number): Wish[] {
  const byAge = [...wishes].sort((a, b) => a.sinceMs - b.sinceMs);
  const rank = ({ urgency }: Waiting) => urgencies.indexOf(urgency);
  const byRank = [...byAge].sort((a, b) => rank(a) - rank(b));
  const order = new Set<Wish>();
  const places = { age: byAge.values(), rank: byRank.values() };
  while (order.size < wishes.length) {
    const next = (looks + order.size) % fairTurn === fairTurn - 1 ? places.age : places.rank;
    const { value, done } = next.next();
    if (done === true) break;
    order.add(value);
  }
  return [...new Set([...order, ...byRank])];
}
