import { type Rule, rank } from './rule.js';

/** Goes on by itself when the time is up. */
export const timer: Rule<'timer'> = {
  cause: 'timer',
  verdict: 'timer',
  rank: rank.timer,
  certainty: ({ leftMs, supposed }) => (leftMs === null || supposed ? 'medium' : 'high'),
};
