import type { ProcessFacts } from '../../model/facts/snapshot.js';
import { type Rule, rank } from '../graph/cause.js';
import type { View } from '../graph/view.js';

/** Below this share of one core a process is awake now and then, not busy. */
const busyShare = 0.05;
/** Many processes that each get a little CPU make a busy tree: a parallel build on few cores. */
const busyTreeShare = 0.5;

export function isBusyTree(view: View): boolean {
  return view.treeRanMs >= busyTreeShare * view.snapshot.gapMs;
}

export function isBusy(process: ProcessFacts, view: View): boolean {
  const share = isBusyTree(view) ? 0 : busyShare;
  return view.ranMsOf(process.pid) > share * view.snapshot.gapMs;
}

/** The thread that used most of a busy process's CPU time. */
export const computing: Rule<'computing'> = {
  verdict: 'working',
  rank: rank.progress,
  // Useful work and a livelock cannot be distinguished from outside.
  certainty: 'high',
  detect({ process, thread }, view) {
    if (!isBusy(process, view)) return null;
    const top = process.threads.every((other) => other.ranMs <= thread.ranMs);
    const { gapMs } = view.snapshot;
    return top ? { kind: 'computing', ranMs: view.ranMsOf(process.pid), gapMs } : null;
  },
};
