import type { Health, SignOfLife, Thresholds } from '../../model/run/health.js';
import type { Norms } from '../../model/run/norms.js';
import type { Certainty, Finding } from '../../model/verdict.js';
import type { Excuse } from './excuse.js';
import { isPolling, type Polling } from './polling.js';
import type { Proof } from './proof.js';
import type { Stall } from './state.js';
import { isTicking, type Ticking } from './ticking.js';
import type { Busy } from './window.js';

/** Everything that a transition depends on. */
export interface Situation {
  /** At the last tick. */
  before: Health;
  printed: boolean;
  sign: SignOfLife;
  samples: number;
  samplesNeeded: number;
  silentMs: number;
  /** Since the start of the run. */
  lastedMs: number;
  networkQuietMs: number;
  /** Over the window of activity. */
  busy: Busy[];
  excuse: Excuse | null;
  /** What it waits for may never come. */
  mayLast: boolean;
  stall: Stall | null;
  proof: Proof | null;
  /** Parts of the tree that are proven to be stuck. */
  parts: Finding[];
  polling: Polling | null;
  ticking: Ticking | null;
  /** It asks, and a user is there to answer. */
  needsAnswer: boolean;
  thresholds: Thresholds;
  norms: Norms;
}

interface Transition {
  name: string;
  when(situation: Situation): boolean;
  health: Health;
  confidence: Certainty;
}

/** Silent for longer than so many times what is unusual for the command. */
export function isSilent({ silentMs, norms: { usual } }: Situation, times: 1 | 2): boolean {
  const limitMs = usual?.silence?.limitMs ?? null;
  return limitMs !== null && silentMs > times * limitMs;
}

/** Running for longer than so many times what is unusual for the command. */
export function isLong({ lastedMs, norms: { usual } }: Situation, times: 1 | 2): boolean {
  const limitMs = usual?.duration.limitMs ?? null;
  return limitMs !== null && lastedMs > times * limitMs;
}

/**
 * A silence as earlier runs had it. Then it is no evidence that a tree is idle: where the silences of a command are known, their
 * limit counts in place of the general ones.
 */
export function isKnownSilence({ silentMs, norms: { usual } }: Situation): boolean {
  const { longestMs = 0, limitMs = null } = usual?.silence ?? {};
  return silentMs <= Math.max(longestMs, 2 * (limitMs ?? 0));
}

/** Without a history it would be healthy. */
function isHealthyElse({ silentMs, excuse, thresholds }: Situation): boolean {
  return silentMs <= thresholds.silenceMs || excuse === 'service';
}

function isStalled(situation: Situation, afterMs: number): boolean {
  const { stall } = situation;
  return stall !== null && stall.forMs > afterMs && !isKnownSilence(situation);
}

/** The first row that applies is the health of this tick. */
const table = [
  {
    name: 'proven',
    when: ({ proof, thresholds }) => proof !== null && proof.certainSamples >= thresholds.proofSamples,
    health: 'confirmed-stuck',
    confidence: 'certain',
  },
  {
    name: 'stalled',
    when: (situation) => isStalled(situation, situation.thresholds.confirmMs),
    health: 'confirmed-stuck',
    confidence: 'high',
  },
  {
    name: 'seen',
    when: ({ proof, thresholds }) => proof !== null && proof.samples >= thresholds.proofSamples,
    health: 'likely-stuck',
    confidence: 'high',
  },
  {
    name: 'only-stuck-parts',
    when: ({ parts, samples, samplesNeeded, busy, silentMs, thresholds }) =>
      parts.length > 0 && samples >= samplesNeeded && busy.length === 0 && silentMs >= thresholds.activityMs,
    health: 'confirmed-stuck',
    confidence: 'high',
  },
  {
    name: 'stuck-part',
    when: ({ parts }) => parts.length > 0,
    health: 'likely-stuck',
    confidence: 'high',
  },
  {
    name: 'expected-output',
    when: ({ silentMs, needsAnswer, norms: { expected } }) =>
      expected.outputEveryMs > 0 && silentMs > expected.outputEveryMs && !needsAnswer,
    health: 'likely-stuck',
    confidence: 'high',
  },
  {
    name: 'expected-end',
    when: ({ lastedMs, needsAnswer, norms: { expected } }) =>
      expected.doneInMs > 0 && lastedMs > expected.doneInMs && !needsAnswer,
    health: 'likely-stuck',
    confidence: 'high',
  },
  {
    name: 'refused-long',
    when: ({ polling, thresholds }) =>
      isPolling(polling, thresholds) && (polling?.forMs ?? 0) > thresholds.networkPatienceMs,
    health: 'likely-stuck',
    confidence: 'medium',
  },
  {
    name: 'refused',
    when: ({ polling, thresholds }) => isPolling(polling, thresholds),
    health: 'suspicious',
    confidence: 'low',
  },
  {
    name: 'young',
    when: ({ samples, samplesNeeded }) => samples < samplesNeeded,
    health: 'healthy',
    confidence: 'low',
  },
  {
    name: 'stalling',
    when: (situation) => isStalled(situation, situation.thresholds.escalateMs),
    health: 'likely-stuck',
    confidence: 'high',
  },
  {
    name: 'never-so-silent',
    when: (situation) => isSilent(situation, 2) && situation.busy.length === 0 && situation.mayLast,
    health: 'likely-stuck',
    confidence: 'medium',
  },
  {
    name: 'never-so-long',
    when: (situation) =>
      isLong(situation, 2) &&
      situation.silentMs >= situation.thresholds.activityMs &&
      situation.busy.length === 0 &&
      situation.mayLast,
    health: 'likely-stuck',
    confidence: 'medium',
  },
  {
    name: 'unusual-silence',
    when: (situation) => isSilent(situation, 1) && isHealthyElse(situation),
    health: 'suspicious',
    confidence: 'low',
  },
  {
    name: 'unusual-duration',
    when: (situation) => isLong(situation, 1) && isHealthyElse(situation),
    health: 'suspicious',
    confidence: 'low',
  },
  {
    name: 'printing',
    when: ({ printed }) => printed,
    health: 'healthy',
    confidence: 'high',
  },
  {
    name: 'quiet',
    when: ({ silentMs, thresholds }) => silentMs <= thresholds.silenceMs,
    health: 'healthy',
    confidence: 'medium',
  },
  {
    name: 'resting',
    when: ({ excuse }) => excuse === 'service',
    health: 'healthy',
    confidence: 'medium',
  },
  {
    name: 'active',
    when: ({ busy }) => busy.length > 0,
    health: 'suspicious',
    confidence: 'low',
  },
  {
    name: 'ticking',
    when: ({ excuse, ticking, thresholds }) => excuse === 'wait' && isTicking(ticking, thresholds),
    health: 'suspicious',
    confidence: 'medium',
  },
  {
    name: 'waiting',
    when: ({ excuse }) => excuse === 'wait',
    health: 'suspicious',
    confidence: 'low',
  },
  {
    name: 'hidden',
    when: ({ excuse }) => excuse === 'hidden',
    health: 'suspicious',
    confidence: 'low',
  },
  {
    name: 'unanswered',
    when: (situation) =>
      situation.excuse === 'network' &&
      situation.networkQuietMs > situation.thresholds.networkPatienceMs &&
      situation.before !== 'healthy' &&
      !isKnownSilence(situation),
    health: 'likely-stuck',
    confidence: 'medium',
  },
  {
    name: 'connected',
    when: ({ excuse }) => excuse === 'network',
    health: 'suspicious',
    confidence: 'low',
  },
  {
    name: 'idle',
    when: (situation) => situation.stall?.called === true && !isKnownSilence(situation),
    health: 'likely-stuck',
    confidence: 'medium',
  },
] as const satisfies Transition[];

/** Past the silence threshold, without a snapshot yet. */
const otherwise = { name: 'silent', health: 'suspicious', confidence: 'low' } as const;

export type TransitionName = (typeof table)[number]['name'] | typeof otherwise.name;

export function nextTransition(situation: Situation): Omit<Transition, 'when'> & { name: TransitionName } {
  return table.find(({ when }) => when(situation)) ?? otherwise;
}
