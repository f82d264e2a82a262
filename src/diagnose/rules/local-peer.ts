import { type Rule, rank } from './rule.js';

/** Waits for the answer of a server on this machine that has nothing to do itself. */
export const localPeer: Rule<'local-peer'> = {
  cause: 'local-peer',
  verdict: 'network',
  rank: rank.conversation,
  certainty: 'high',
};
