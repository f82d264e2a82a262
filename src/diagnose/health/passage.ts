import type { Thresholds, TreeSample } from '../../model/run/health.js';
import { isStoppedLeader } from './proof.js';
import type { HealthState } from './state.js';
import { isWholeSample } from './window.js';

/** More intervals than this between two ticks mean that Unstuck itself did not run. */
export const intervalsMax = 2;

/** How much time a tick stands for. */
export interface Passage {
  elapsedMs: number;
  /** The part that counts as silence: 0 while the tree was stopped. */
  countedMs: number;
  /** Time since the last whole sample. */
  pendingMs: number;
  /** Whether this tick makes a sample. */
  whole: boolean;
  stopped: boolean;
}

export function passageOf(state: HealthState, sample: TreeSample, thresholds: Thresholds): Passage {
  const elapsedMs = Math.min(Math.max(0, sample.atMs - state.atMs), intervalsMax * thresholds.sampleMs);
  const stopped = isStoppedLeader(sample);
  const pendingMs = state.pendingMs + elapsedMs;
  const whole = isWholeSample(pendingMs, thresholds);
  return { elapsedMs, countedMs: stopped ? 0 : elapsedMs, pendingMs, whole, stopped };
}
