import { type Rule, rank } from './rule.js';

/** Locks with named owners in a circle. */
export const lockCycle: Rule<'lock-cycle'> = {
  cause: 'lock-cycle',
  verdict: 'deadlock',
  rank: rank.proof,
  certainty: 'certain',
};
