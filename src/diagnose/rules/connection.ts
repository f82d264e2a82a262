import { type Rule, rank } from './rule.js';

/** Waits for bytes from another machine (or one whose process we cannot see). Silence is a fact, not a fault. */
export const connection: Rule<'connection'> = {
  cause: 'connection',
  verdict: 'network',
  rank: rank.network,
  certainty: 'high',
};
