import { type Rule, rank } from './rule.js';

/** Never certain: a finalizer, run after a garbage collection, could wake one, and so could code in C. */
export const stuckGoroutines: Rule<'stuck-goroutines'> = {
  cause: 'stuck-goroutines',
  verdict: 'deadlock',
  rank: rank.proof,
  certainty: 'high',
};
