import { type Rule, rank } from '../graph/cause.js';
import { isBusyTree } from './computing.js';

/** A thread that is runnable in both passes and ran for less than this share of the time is kept waiting. */
const starvedShare = 0.05;

/** Runnable, but other threads, or a quota, take the CPU. */
export const starved: Rule<'starved'> = {
  verdict: 'starved',
  rank: rank.halted,
  certainty: (_, { thread }) => (thread.moved === false ? 'high' : 'medium'),
  detect({ process, thread }, view) {
    const runnable = thread.state === 'R' && thread.laterState === 'R';
    if (!runnable || thread.moved === null || thread.ranMs > starvedShare * view.snapshot.gapMs) return null;
    if (isBusyTree(view)) return null;
    return { kind: 'starved', throttled: (process.cgroup?.throttled ?? 0) > 0 };
  },
};
