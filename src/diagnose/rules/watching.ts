import { type Rule, rank } from './rule.js';

/** Waits for files to change. */
export const watching: Rule<'watching'> = {
  cause: 'watching',
  verdict: 'service',
  rank: rank.idle,
  certainty: 'high',
};
