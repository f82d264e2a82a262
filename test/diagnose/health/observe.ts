import { advance, startHealth } from '../../../src/diagnose/health/advance.js';
import type { HealthState } from '../../../src/diagnose/health/state.js';
import {
  type Diagnosis,
  type HealthTick,
  presets,
  type Thresholds,
  type TreeSample,
} from '../../../src/model/run/health.js';
import { type Norms, noNorms } from '../../../src/model/run/norms.js';
import type { Certainty, Verdict, VerdictKind } from '../../../src/model/verdict.js';

export const second = 1000;
export const minute = 60 * second;

/** A tree that prints nothing and does nothing. */
const still: Omit<TreeSample, 'atMs'> = {
  cpuPercent: 0,
  ioBytes: 0,
  networkBytes: null,
  delayedMs: 0,
  processes: 1,
  threads: 1,
  states: { S: 1 },
  leaderState: 'S',
  connections: null,
  openFiles: 3,
  residentBytes: 1_000_000,
  stdin: '/dev/null',
};

/** What is different from a still tree without a snapshot, and how long after the last tick. */
export type Change = Partial<Omit<TreeSample, 'atMs'>> &
  Partial<Omit<HealthTick, 'sample'>> & { afterMs?: number };

export function tickAt(atMs: number, change: Change): HealthTick {
  const { printed = false, verdict = null, canAnswer = false, afterMs: _, ...others } = change;
  const { findings = verdict === null ? null : [], living = { has: () => true }, ...sample } = others;
  return { sample: { ...still, ...sample, atMs }, printed, verdict, findings, living, canAnswer };
}

export function verdictOf(kind: VerdictKind, certainty: Certainty = 'high', pid = 42): Verdict {
  return {
    kind,
    certainty,
    pid,
    command: 'node release.js',
    reason: `node is in ${kind}`,
    evidence: [`node(${pid}) shows ${kind}`],
    next: [`look at ${pid}`],
  };
}

/** One run watched from its start, with a clock of its own. */
export function observe(thresholds: Thresholds = presets.production, norms: Norms = noNorms) {
  let atMs = 1000;
  let state: HealthState = startHealth(atMs);
  const tick = (change: Change = {}): Diagnosis => {
    atMs += change.afterMs ?? thresholds.sampleMs;
    const next = advance(state, tickAt(atMs, change), thresholds, norms);
    state = next.state;
    return next.diagnosis;
  };
  return {
    tick,
    /** Ticks for so long; the last diagnosis. */
    stay(durationMs: number, change: Change = {}): Diagnosis {
      let last = tick(change);
      for (let left = durationMs - thresholds.sampleMs; left > 0; left -= thresholds.sampleMs)
        last = tick(change);
      return last;
    },
    state: () => state,
  };
}

/** A run that printed a moment ago and has a whole window of history. */
export function grown(thresholds: Thresholds = presets.production, norms: Norms = noNorms) {
  const run = observe(thresholds, norms);
  run.stay(thresholds.activityMs, { printed: true });
  return run;
}

/** Health and confidence in one, to compare at a glance. */
export function verdictLine({ health, confidence }: Diagnosis): string {
  return `${health}, ${confidence}`;
}
