import { type Rule, rank } from './rule.js';

/** Blocked inside a file system that does not answer: a network mount, FUSE, a broken disk. */
export const filesystem: Rule<'filesystem'> = {
  cause: 'filesystem',
  verdict: 'event',
  rank: rank.event,
  certainty: 'medium',
  onlyPossible: true,
};
