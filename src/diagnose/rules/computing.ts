import type { Task, View } from '../view.js';
import { type Rule, rank } from './rule.js';

/** Below this share of one core a process is awake now and then, not busy. */
const busyShare = 0.05;

export function isBusy({ process }: Pick<Task, 'process'>, { snapshot: { gapMs } }: View): boolean {
  return process.threads.reduce((sum, thread) => sum + thread.ranMs, 0) >= busyShare * gapMs;
}

/** The thread that used most of a busy process's CPU time. */
export const computing: Rule<'computing'> = {
  cause: 'computing',
  verdict: 'working',
  rank: rank.progress,
  certainty: ({ ranMs, gapMs }) => (ranMs >= gapMs / 2 ? 'certain' : 'high'),
  detect({ process, thread }, view) {
    if (!isBusy({ process }, view)) return null;
    const ranMs = process.threads.reduce((sum, other) => sum + other.ranMs, 0);
    const top = process.threads.every((other) => other.ranMs <= thread.ranMs);
    return top ? { kind: 'computing', ranMs, gapMs: view.snapshot.gapMs } : null;
  },
};
