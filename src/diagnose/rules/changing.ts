import { type Rule, rank } from '../graph/cause.js';

/** The process ended, became another program or started something during the snapshot: the tree goes on. */
export const changing: Rule<'changing'> = {
  verdict: 'working',
  rank: rank.progress,
  certainty: 'high',
  detect: ({ process }) => (process.changed === null ? null : { kind: 'changing', change: process.changed }),
};
