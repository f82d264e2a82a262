import { type Rule, rank } from './rule.js';

/** Somebody holds the other end, but not where we may look. */
export const unseenHolder: Rule<'unseen-holder'> = {
  cause: 'unseen-holder',
  verdict: 'event',
  rank: rank.event,
  certainty: 'low',
  onlyPossible: true,
};
