import { type Rule, rank } from './rule.js';

/** The other side has not answered the first packet of a connection. */
export const connecting: Rule<'connecting'> = {
  cause: 'connecting',
  verdict: 'network',
  rank: rank.network,
  certainty: 'high',
};
