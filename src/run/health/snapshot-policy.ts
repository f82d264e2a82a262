import { mayBeProof } from '../../diagnose/health/proof.js';
import type { Diagnosis, Thresholds, TreeSample } from '../../model/run/health.js';
import type { Verdict } from '../../model/verdict.js';

/** While nothing runs, a snapshot proves nothing new. The pause between snapshots grows up to this. */
const restMsMax = 300_000;
const restGrowth = 4;
/** The share of a core that all snapshots together may take. */
const costShare = 1 / 1000;
/** CPU time that may be spent at once to find stuck parts of a tree that goes on, and once more to confirm a part that was found. */
const creditMsMax = 1000;

export interface SnapshotState {
  /** Time of the last snapshot. */
  atMs: number;
  /** No snapshot before this time: the cost of the last one is not paid off yet. */
  affordableMs: number;
  /** No snapshot before this time if nothing ran since the last one. */
  restUntilMs: number;
  restMs: number;
  /** The tree has run since the last snapshot, in this tick or in an earlier one. */
  ranSince: boolean;
  /** The last snapshot showed something that consecutive snapshots must confirm. */
  proving: boolean;
  /** The last snapshot met a moment in which something ran. What is reported from other knowledge does not show that. */
  ofMoment: boolean;
  parts: PartsState;
}

/** Whether parts of the tree need a snapshot, whatever the rest does. */
interface PartsState {
  wanted: boolean;
  /** The last snapshot found a part that is not proven yet. */
  found: boolean;
  /** CPU time that such snapshots may take, as of `atMs`. It grows with time. */
  creditMs: number;
  atMs: number;
}

/** How urgent a snapshot is, most urgent first. Where snapshots are scarce, urgent ones wait less. */
export const urgencies = ['asked', 'unexplained', 'proving', 'first', 'again'] as const;

export type Urgency = (typeof urgencies)[number];

export interface SnapshotTick {
  sample: TreeSample;
  /** Whether any process of the tree was on a CPU since the last tick. */
  ran: boolean;
  printed: boolean;
  /** As of the last tick. */
  diagnosis: Diagnosis | null;
  /** A caller waits for the result of a snapshot. */
  asked: boolean;
  /** A part of the tree may be stuck, or a reported part may have moved, whatever the rest does. */
  partsChanged: boolean;
}

export interface TakenSnapshot {
  atMs: number;
  /** CPU time. */
  costMs: number;
  /** null: it failed. */
  verdict: Verdict | null;
  /** The snapshot found stuck parts that more snapshots must confirm. */
  hasUnprovenParts: boolean;
  /** Another snapshot right now would prove nothing more. */
  proven: boolean;
}

export const noSnapshotYet: SnapshotState = {
  atMs: Number.NEGATIVE_INFINITY,
  affordableMs: 0,
  restUntilMs: 0,
  restMs: 0,
  ranSince: false,
  proving: false,
  ofMoment: false,
  parts: { wanted: false, found: false, creditMs: creditMsMax, atMs: 0 },
};

/** Applies a tick before the decision on a snapshot. Output means that the tree as a whole made progress. */
export function beforeSnapshot(
  state: SnapshotState,
  { printed, partsChanged, ran }: SnapshotTick,
): SnapshotState {
  const parts = partsChanged ? { ...state.parts, wanted: true } : state.parts;
  if (printed) return { ...noSnapshotYet, parts };
  const ranSince = state.ranSince || ran;
  return parts === state.parts && ranSince === state.ranSince ? state : { ...state, ranSince, parts };
}

function creditAt({ creditMs, atMs }: PartsState, nowMs: number): number {
  return Math.min(creditMsMax, creditMs + (nowMs - atMs) * costShare);
}

/** Whether a snapshot is needed: a tick without output in which almost nothing ran, or a long silence. */
export function wantsSnapshot(state: SnapshotState, tick: SnapshotTick, thresholds: Thresholds): boolean {
  const { sample, printed, ran, diagnosis, asked } = tick;
  // The command has ended, and its pid may be reused.
  if (sample.leaderState === null) return false;
  if (asked) return true;
  // What was found is confirmed on credit: on a slow machine the proof would never be complete.
  const leastMs = state.parts.found ? -creditMsMax : 0;
  if (state.parts.wanted && creditAt(state.parts, sample.atMs) > leastMs) return true;
  if (printed) return false;
  const worse = isWorse(diagnosis);
  // A tree is not called stuck without a snapshot, and a proof does not hold once the tree has run.
  if (worse && (diagnosis.verdict === null || (ran && diagnosis.confidence === 'certain'))) return true;
  // An old verdict does not describe the present. A snapshot may be at most half a window old.
  const ranSince = state.ranSince || ran;
  const mayDiffer = ranSince || state.ofMoment;
  if (worse && mayDiffer && sample.atMs - state.atMs >= thresholds.activityMs / 2) return true;
  if (sample.atMs < state.affordableMs || (!ranSince && sample.atMs < state.restUntilMs)) return false;
  const idle = sample.cpuPercent < thresholds.cpuPercent && (sample.ioBytes ?? 0) < thresholds.ioBytes;
  return idle || worse;
}

/** A process outside the tree works for it. When that work ends, no process of the tree needs to have run. */
function isOfMoment(verdict: Verdict | null): boolean {
  return verdict?.kind === 'working' || verdict?.kind === 'starved';
}

/** `unexplained`: suspicious, and without a snapshot; `again`: the known verdict still holds. */
export function urgencyOf(state: SnapshotState, { diagnosis, asked }: SnapshotTick): Urgency {
  if (asked) return 'asked';
  const isKnown = diagnosis !== null && diagnosis.verdict !== null;
  if (isWorse(diagnosis) && !isKnown) return 'unexplained';
  if (state.proving) return 'proving';
  return isKnown ? 'again' : 'first';
}

function isWorse(diagnosis: Diagnosis | null): diagnosis is Diagnosis {
  return diagnosis !== null && diagnosis.health !== 'healthy';
}

/** When to take the next snapshot. A proof takes several snapshots in a row; after that they may become rare. */
export function afterSnapshot(
  state: SnapshotState,
  taken: TakenSnapshot,
  { sampleMs }: Thresholds,
): SnapshotState {
  const { atMs, costMs, verdict, proven, hasUnprovenParts } = taken;
  const spentMs = state.parts.wanted ? costMs : 0;
  const creditMs = creditAt(state.parts, atMs) - spentMs;
  // One snapshot that does not show the part any more may have met a moment in which something could not be read, and one
  // that failed shows nothing.
  const parts =
    verdict === null
      ? { ...state.parts, creditMs, atMs }
      : { wanted: hasUnprovenParts || state.parts.found, found: hasUnprovenParts, creditMs, atMs };
  if (!proven && verdict !== null && mayBeProof(verdict)) return { ...noSnapshotYet, proving: true, parts };
  const restMs = Math.min(restMsMax, Math.max(sampleMs, state.restMs * restGrowth));
  return {
    atMs,
    affordableMs: atMs + costMs / costShare,
    restUntilMs: atMs + restMs - sampleMs / 2,
    restMs,
    ranSince: false,
    proving: false,
    ofMoment: isOfMoment(verdict),
    parts,
  };
}
