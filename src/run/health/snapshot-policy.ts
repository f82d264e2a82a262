import { mayBeProof } from '../../diagnose/health/proof.js';
import type { Diagnosis, Thresholds, TreeSample } from '../../model/run/health.js';
import type { Verdict } from '../../model/verdict.js';

/** As long as nothing runs, a look proves nothing new: they become rarer, up to this. */
const restMsMax = 300_000;
const restGrowth = 4;
/** Looks together may not take more than this part of a core. */
const costShare = 1 / 1000;
/** So much may be spent at once on finding stuck parts of a tree that goes on. */
const creditMsMax = 500;

export interface LookState {
  /** When we looked last. */
  atMs: number;
  /** No look before this, whatever happens: the last one has its price. */
  affordableMs: number;
  /** No look before this if nothing ran since the last one. */
  restUntilMs: number;
  restMs: number;
  /** The last look proved something that more looks in a row must confirm. */
  proving: boolean;
  parts: PartsState;
}

/** Whether a snapshot is wanted because of parts of the tree, whatever the rest does. */
interface PartsState {
  wanted: boolean;
  /** CPU time that such snapshots may take, as of `atMs`; it grows with time. */
  creditMs: number;
  atMs: number;
}

/** How much depends on a look, most first: where looks are scarce, not all have to wait equally long. */
export const urgencies = ['asked', 'unexplained', 'proving', 'first', 'again'] as const;

export type Urgency = (typeof urgencies)[number];

export interface LookTick {
  sample: TreeSample;
  /** Whether any process of the tree was on a CPU since the last tick. */
  ran: boolean;
  printed: boolean;
  /** As of the last tick. */
  diagnosis: Diagnosis | null;
  /** Somebody waits for what a look would tell. */
  asked: boolean;
  /** A part of the tree may be stuck, or one that was reported may have moved, whatever the rest does. */
  partsChanged: boolean;
}

export interface Look {
  atMs: number;
  /** Time of a CPU. */
  costMs: number;
  verdict: Verdict | null;
  /** It found stuck parts that more snapshots must confirm. */
  hasUnprovenParts: boolean;
  /** Nothing is left to be proven by looking at once again. */
  proven: boolean;
}

export const neverLooked: LookState = {
  atMs: Number.NEGATIVE_INFINITY,
  affordableMs: 0,
  restUntilMs: 0,
  restMs: 0,
  proving: false,
  parts: { wanted: false, creditMs: creditMsMax, atMs: 0 },
};

/** What a tick says before it is decided on a snapshot: output means that the tree as a whole got on. */
export function beforeLook(state: LookState, { printed, partsChanged }: LookTick): LookState {
  const parts = partsChanged ? { ...state.parts, wanted: true } : state.parts;
  if (printed) return { ...neverLooked, parts };
  return parts === state.parts ? state : { ...state, parts };
}

function creditAt({ creditMs, atMs }: PartsState, nowMs: number): number {
  return Math.min(creditMsMax, creditMs + (nowMs - atMs) * costShare);
}

/** Whether there is something to explain: a tick without output in which nothing much ran, or long silence. */
export function wantsLook(state: LookState, tick: LookTick, thresholds: Thresholds): boolean {
  const { sample, printed, ran, diagnosis, asked } = tick;
  // It has ended, and its number may be somebody else's.
  if (sample.leaderState === null) return false;
  if (asked) return true;
  if (state.parts.wanted && creditAt(state.parts, sample.atMs) > 0) return true;
  if (printed) return false;
  const worse = isWorse(diagnosis);
  // Nothing is called stuck without a look, and nothing stays proven that has run since.
  if (worse && (diagnosis.verdict === null || (ran && diagnosis.confidence === 'certain'))) return true;
  // What it did then says nothing about now: half a window is as old as a look may be.
  const mayDiffer = ran || isOfMoment(diagnosis);
  if (worse && mayDiffer && sample.atMs - state.atMs >= thresholds.activityMs / 2) return true;
  if (sample.atMs < state.affordableMs || (!ran && sample.atMs < state.restUntilMs)) return false;
  const idle = sample.cpuPercent < thresholds.cpuPercent && (sample.ioBytes ?? 0) < thresholds.ioBytes;
  return idle || worse;
}

/** Somebody outside the tree works for it: when that ends, nobody in the tree need have run. */
function isOfMoment(diagnosis: Diagnosis | null): boolean {
  return diagnosis?.verdict?.kind === 'working' || diagnosis?.verdict?.kind === 'starved';
}

/** `unexplained`: it is called suspicious, and nobody has looked; `again`: what is known of it is still true. */
export function urgencyOf(state: LookState, { diagnosis, asked }: LookTick): Urgency {
  if (asked) return 'asked';
  const isKnown = diagnosis !== null && diagnosis.verdict !== null;
  if (isWorse(diagnosis) && !isKnown) return 'unexplained';
  if (state.proving) return 'proving';
  return isKnown ? 'again' : 'first';
}

function isWorse(diagnosis: Diagnosis | null): diagnosis is Diagnosis {
  return diagnosis !== null && diagnosis.health !== 'healthy';
}

/** When to look next. Proof takes several looks in a row; once it is there, they may become rare. */
export function afterLook(state: LookState, look: Look, { sampleMs }: Thresholds): LookState {
  const { atMs, costMs, verdict, proven, hasUnprovenParts } = look;
  const spentMs = state.parts.wanted ? costMs : 0;
  const parts = { wanted: hasUnprovenParts, creditMs: creditAt(state.parts, atMs) - spentMs, atMs };
  if (!proven && verdict !== null && mayBeProof(verdict)) return { ...neverLooked, proving: true, parts };
  const restMs = Math.min(restMsMax, Math.max(sampleMs, state.restMs * restGrowth));
  return {
    atMs,
    affordableMs: atMs + costMs / costShare,
    restUntilMs: atMs + restMs - sampleMs / 2,
    restMs,
    proving: false,
    parts,
  };
}
