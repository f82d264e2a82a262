import { type Rule, rank } from './rule.js';

/** A process outside the tree holds the other end and neither writes to it nor reads from it. */
export const otherEnd: Rule<'other-end'> = {
  cause: 'other-end',
  verdict: 'event',
  rank: rank.event,
  certainty: 'high',
  onlyPossible: true,
};
