import { type Rule, rank } from './rule.js';

/** A client of our daemon. The daemon watches its runs and reports those that are stuck, so that silence here is no fault. */
export const daemon: Rule<'daemon'> = {
  cause: 'daemon',
  verdict: 'service',
  rank: rank.idle,
  certainty: 'high',
};
