import type { Thresholds, TreeSample } from '../../model/run/health.js';

/** What a tree did in a stretch of time. */
export interface Activity {
  forMs: number;
  cpuMs: number;
  delayedMs: number;
  /** null: not known for any part of it. */
  ioBytes: number | null;
  networkBytes: number | null;
}

/** The last samples, oldest first. Their number is bounded by the thresholds, whatever the ticks are. */
export interface Window {
  readonly samples: readonly Activity[];
  /** Ticks that came too soon after the last sample to count as a sample. */
  readonly partial: Activity | null;
}

export const emptyWindow: Window = { samples: [], partial: null };

/** Fewer samples than this are not enough history. */
export function samplesPerWindow({ activityMs, sampleMs }: Thresholds): number {
  return Math.max(1, Math.ceil(activityMs / Math.max(1, sampleMs)));
}

/** A tick sooner than half an interval after the last sample is only a part of the next sample. */
export function isWholeSample(pendingMs: number, { sampleMs }: Thresholds): boolean {
  return pendingMs > 0 && pendingMs >= sampleMs / 2;
}

export function activityOf(sample: TreeSample, forMs: number): Activity {
  const { cpuPercent, delayedMs, ioBytes, networkBytes } = sample;
  // A percentage of zero time means nothing, and may not even be a number.
  return { forMs, cpuMs: forMs > 0 ? (cpuPercent / 100) * forMs : 0, delayedMs, ioBytes, networkBytes };
}

export function addActivity(
  window: Window,
  activity: Activity,
  whole: boolean,
  thresholds: Thresholds,
): Window {
  const next = window.partial === null ? activity : sum([window.partial, activity]);
  if (!whole) return { samples: window.samples, partial: next };
  const samples = window.samples.slice(Math.max(0, window.samples.length + 1 - samplesPerWindow(thresholds)));
  samples.push(next);
  return { samples, partial: null };
}

export function windowActivity({ samples, partial }: Window): Activity {
  return sum(partial === null ? samples : [...samples, partial]);
}

/** The mean weighted by time; 100 is one core. */
export function cpuPercentOf({ cpuMs, forMs }: Pick<Activity, 'cpuMs' | 'forMs'>): number {
  return forMs === 0 ? 0 : (cpuMs / forMs) * 100;
}

/** Runs at every tick of every run: it allocates a single object. */
function sum(parts: readonly Activity[]): Activity {
  const total: Activity = { forMs: 0, cpuMs: 0, delayedMs: 0, ioBytes: null, networkBytes: null };
  for (const { forMs, cpuMs, delayedMs, ioBytes, networkBytes } of parts) {
    total.forMs += forMs;
    total.cpuMs += cpuMs;
    total.delayedMs += delayedMs;
    total.ioBytes = sumKnown(total.ioBytes, ioBytes);
    total.networkBytes = sumKnown(total.networkBytes, networkBytes);
  }
  return total;
}

function sumKnown(a: number | null, b: number | null): number | null {
  return a === null ? b : a + (b ?? 0);
}

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
