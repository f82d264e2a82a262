import { type Rule, rank } from './rule.js';

/** Nothing we know how to read. Said as such. */
export const unknown: Rule<'unknown'> = {
  cause: 'unknown',
  verdict: 'unknown',
  rank: rank.unclear,
  certainty: 'low',
  onlyPossible: true,
};
