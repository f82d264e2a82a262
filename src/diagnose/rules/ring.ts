import { type Rule, rank } from './rule.js';

/** An io_uring or AIO completion; which file it is about, the kernel does not show. */
export const ring: Rule<'ring'> = {
  cause: 'ring',
  verdict: 'event',
  rank: rank.event,
  certainty: 'medium',
  onlyPossible: true,
};
