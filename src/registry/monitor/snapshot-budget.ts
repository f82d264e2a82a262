import { urgencies } from '../../run/health/snapshot-policy.js';
import type { LookWish } from '../../run/health/vitals.js';

type Waiting = Pick<LookWish, 'urgency' | 'sinceMs'>;

/** All looks of a daemon together may take this part of a core, over time. */
export const lookShare = 1 / 150;
/** Of many runs the ticks alone take most of what a daemon may take. */
const lookShareOfMany = 1 / 400;
const manyRuns = 200;
/** What may be used at once, and is saved up again: few runs are looked at as if each were alone. */
export const lookBurstMs = 600;
/** Those who look at once share the search for the other ends, which is most of what a look costs. */
export const looksAtOnceMax = 100;
/** What a look is taken to cost before any has told; so much every run brings along for its own first one. */
export const costMsFirst = 5;
/** How much the last look counts in what the next is expected to cost. */
const costWeight = 1 / 4;

/** CPU time that looks may take, as a plain value: every change makes a new one. */
export interface LookBudget {
  /** Negative: the last looks took more than there was. */
  readonly leftMs: number;
  readonly atMs: number;
  /** What a look is expected to cost. */
  readonly costMs: number;
  /** Looks so far. */
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

/** One more run: starting it took several times as much as the first look at it will. */
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

/** Whether one more look may begin while these go on. */
export function affords({ leftMs, costMs }: LookBudget, going: number): boolean {
  return leftMs - going * costMs > 0;
}

/** Every so many looks, it is the turn of whoever has waited longest: nobody waits for ever. */
const fairTurn = 4;

/** The most urgent first, and of those whoever has waited longest; `looks`: how many there were before. */
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
