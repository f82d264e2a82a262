import { type Rule, rank } from './rule.js';

/** Opening a FIFO waits until somebody opens its other end. */
export const fifoPartner: Rule<'fifo-partner'> = {
  cause: 'fifo-partner',
  verdict: 'event',
  rank: rank.event,
  certainty: 'high',
  onlyPossible: true,
};
