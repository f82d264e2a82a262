import type { Thresholds } from '../../model/run/health.js';
import { type Activity, cpuPercentOf } from './window.js';

/** Ready to run for this share of the time without getting a CPU: the machine keeps the tree waiting. */
const starvedShare = 0.1;

/** In which ways a tree was active; an empty list: it was idle. */
export type Busy = 'cpu' | 'io' | 'network' | 'starved';

const signs: { busy: Busy; when(activity: Activity, thresholds: Thresholds): boolean }[] = [
  { busy: 'cpu', when: (activity, { cpuPercent }) => reaches(cpuPercentOf(activity), cpuPercent) },
  { busy: 'io', when: (activity, { ioBytes }) => reaches(activity.ioBytes ?? 0, ioBytes) },
  { busy: 'network', when: ({ networkBytes }) => (networkBytes ?? 0) > 0 },
  { busy: 'starved', when: ({ delayedMs, forMs }) => reaches(delayedMs, starvedShare * forMs) },
];

export function busyWith(activity: Activity, thresholds: Thresholds): Busy[] {
  const found: Busy[] = [];
  for (const { busy, when } of signs) if (when(activity, thresholds)) found.push(busy);
  return found;
}

/** Zero is never active, not even with a threshold of zero. */
function reaches(value: number, threshold: number): boolean {
  return value > 0 && value >= threshold;
}
