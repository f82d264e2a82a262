import { type Rule, rank } from './rule.js';

/** Runnable in both collects and not once scheduled in: others, or a quota, take the whole CPU. */
export const starved: Rule<'starved'> = {
  cause: 'starved',
  verdict: 'starved',
  rank: rank.halted,
  certainty: 'high',
  detect({ process, thread }) {
    const runnable = thread.state === 'R' && thread.laterState === 'R';
    if (!runnable || thread.moved !== false) return null;
    return { kind: 'starved', throttled: (process.cgroup?.throttled ?? 0) > 0 };
  },
};
