import { type Rule, rank } from './rule.js';

/** Waits for a signal it has prepared for; from inside that cannot be told from waiting in vain. */
export const signal: Rule<'signal'> = {
  cause: 'signal',
  verdict: 'event',
  rank: rank.signal,
  certainty: ({ explicit }) => (explicit ? 'high' : 'medium'),
  onlyPossible: true,
};
