import { type Rule, rank } from './rule.js';

/** Asked by datagram, most often a name server, and not answered. */
export const datagram: Rule<'datagram'> = {
  cause: 'datagram',
  verdict: 'network',
  rank: rank.network,
  certainty: 'high',
};
