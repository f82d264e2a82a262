import { type Rule, rank } from './rule.js';

/**
 * A Go program, all of whose goroutines wait for another one: none is left that could run. Go itself calls that a
 * deadlock. Yet never certain: a finalizer, run after a garbage collection, or a signal handler in C could wake one.
 */
export const goroutines: Rule<'goroutines'> = {
  cause: 'goroutines',
  verdict: ({ forNothing }) => (forNothing ? 'asleep' : 'deadlock'),
  rank: rank.proof,
  certainty: 'high',
};
