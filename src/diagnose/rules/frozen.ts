import { type Rule, rank } from './rule.js';

/** The freezer of its control group: to /proc it looks like plain sleep. */
export const frozen: Rule<'frozen'> = {
  cause: 'frozen',
  verdict: 'frozen',
  rank: rank.halted,
  certainty: 'certain',
  detect: ({ process }) =>
    process.cgroup?.frozen === true ? { kind: 'frozen', group: process.cgroup.path } : null,
};
