import { haltLasts } from '../graph/closed/halted.js';
import { type Rule, rank } from './rule.js';

/** The freezer of its control group: to /proc it looks like plain sleep. */
export const frozen: Rule<'frozen'> = {
  verdict: 'frozen',
  rank: rank.halted,
  // As what is stopped, it may be let go again by whatever froze it.
  certainty: (_, { thread }) => (haltLasts(thread) ? 'certain' : 'high'),
  detect: ({ process, thread }) =>
    process.cgroup?.frozen === true && thread.moved !== true
      ? { kind: 'frozen', group: process.cgroup.path }
      : null,
};
