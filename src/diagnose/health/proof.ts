import type { HealthTick, Thresholds, TreeSample } from '../../model/health.js';
import { stuckKinds, type VerdictKind } from '../../model/verdict.js';
import { lastingHaltMs } from '../halted.js';
import { busyWith } from './busy.js';
import { activityOf } from './window.js';

/** A4: the same proof in samples in a row, nothing in between that speaks against it. */
export interface Proof {
  kind: VerdictKind;
  /** null: the command itself, whose pid a sample does not tell. */
  pid: number | null;
  samples: number;
  /** For how long it has been so at every tick. */
  forMs: number;
}

type Finding = Pick<Proof, 'kind' | 'pid'>;

const haltedStates: Record<string, VerdictKind> = { Z: 'zombie', T: 'stopped', t: 'stopped' };

/** Only a tick that is a whole sample may count. */
export function nextProof(
  before: Proof | null,
  tick: HealthTick,
  { whole, elapsedMs }: { whole: boolean; elapsedMs: number },
  thresholds: Thresholds,
): Proof | null {
  if (tick.printed) return null;
  const found = tick.verdict === null ? haltedLeader(tick.sample) : provenByVerdict(tick);
  if (found === null) return speaksAgainst(before, tick) ? null : before;
  const isSame = before !== null && before.kind === found.kind && before.pid === found.pid;
  const goesOn = isSame && !worked(tick.sample, thresholds);
  const forMs = goesOn ? before.forMs + elapsedMs : 0;
  const counts = whole && (tick.verdict !== null || lasts(found, forMs));
  return { ...found, samples: (goesOn ? before.samples : 0) + (counts ? 1 : 0), forMs };
}

/** What is stopped may be let go again in a moment; a verdict that is certain knows for how long it has been so. */
function lasts({ kind }: Finding, forMs: number): boolean {
  return kind !== 'stopped' || forMs >= lastingHaltMs;
}

export function isStoppedLeader({ leaderState }: TreeSample): boolean {
  return haltedStates[leaderState ?? ''] === 'stopped';
}

function provenByVerdict({ verdict, canAnswer, sample }: HealthTick): Finding | null {
  if (verdict === null || verdict.certainty !== 'certain' || !stuckKinds.has(verdict.kind)) return null;
  if (verdict.kind === 'needs-input' && canAnswer) return null;
  const isLeader = haltedStates[sample.leaderState ?? ''] === verdict.kind;
  return { kind: verdict.kind, pid: isLeader ? null : verdict.pid };
}

/**
 * The state alone is proof only where nothing else goes on: a main thread that ended before the others is in
 * state Z too, and what is traced is in state t for an instant at every call.
 */
function haltedLeader(sample: TreeSample): Finding | null {
  const kind = haltedStates[sample.leaderState ?? ''];
  if (kind === undefined || !didNothing(sample)) return null;
  if (kind === 'zombie' && sample.threads > sample.processes) return null;
  return { kind, pid: null };
}

/** Where nobody looked, a tree that did nothing is where it was; the command's own state shows in every sample. */
function speaksAgainst(before: Proof | null, { verdict, sample }: HealthTick): boolean {
  return verdict !== null || before?.pid === null || !didNothing(sample);
}

function didNothing({ cpuPercent, ioBytes, networkBytes }: TreeSample): boolean {
  return cpuPercent === 0 && (ioBytes ?? 0) === 0 && (networkBytes ?? 0) === 0;
}

/**
 * A filter fed by a slow writer waits for input whenever it is looked at, what somebody slows down is stopped, what works on
 * signals is asleep: and all of them get on in between.
 */
function worked(sample: TreeSample, thresholds: Thresholds): boolean {
  const active = busyWith(activityOf(sample, thresholds.sampleMs), thresholds).length > 0;
  return active || (sample.ioBytes ?? 0) > 0;
}
