import { type Rule, rank } from '../graph/cause.js';
import { haltLasts } from '../graph/closed/halted.js';

/** The freezer of its control group: /proc shows it as plain sleep. */
export const frozen: Rule<'frozen'> = {
  verdict: 'frozen',
  rank: rank.halted,
  // As with a stopped process, the program that froze it may let it go again.
  certainty: (_, { thread }) => (haltLasts(thread) ? 'certain' : 'high'),
  detect: ({ process, thread }) =>
    process.cgroup?.frozen === true && thread.moved !== true
      ? { kind: 'frozen', group: process.cgroup.path }
      : null,
};
