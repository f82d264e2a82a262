import { type Rule, rank } from './rule.js';

/** It waits for something and hides that from its own user, as agents that keep keys do: only root could tell. */
export const hidden: Rule<'hidden'> = {
  cause: 'hidden',
  verdict: 'unknown',
  rank: rank.hidden,
  certainty: 'low',
};
