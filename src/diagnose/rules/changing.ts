import { type Rule, rank } from './rule.js';

/** The process ended, became another program or started something while we looked: something goes on. */
export const changing: Rule<'changing'> = {
  verdict: 'working',
  rank: rank.progress,
  certainty: 'high',
  detect: ({ process }) => (process.changed === null ? null : { kind: 'changing', change: process.changed }),
};
