import {
  type Diagnosis,
  type Health,
  type HealthNumbers,
  type HealthTick,
  severities,
  type Thresholds,
  type TreeSample,
} from '../../model/run/health.js';
import { type Norms, noNorms } from '../../model/run/norms.js';
import type { Finding, Verdict } from '../../model/verdict.js';
import { excuseOf, mayLast, needsAnswer, nextSeen } from './excuse.js';
import { nextNetworkQuiet } from './network-quiet.js';
import { nextParts, provenParts } from './parts.js';
import { type Passage, passageOf } from './passage.js';
import { asPolling, nextPolling } from './polling.js';
import { nextProof } from './proof.js';
import { recommendationOf } from './recommendations.js';
import type { HealthState, Stall } from './state.js';
import { nextTicking } from './ticking.js';
import { nextTransition, type Situation, type TransitionName } from './transitions.js';
import {
  type Activity,
  activityOf,
  addActivity,
  busyWith,
  cpuPercentOf,
  emptyWindow,
  samplesPerWindow,
  windowActivity,
} from './window.js';
import { evidenceOf, reasonOf, type Subject } from './words.js';

/** The state after a tick, before anything is concluded from it. */
type Memory = Omit<HealthState, 'health' | 'stall'>;

const none: Finding[] = [];

/** `lastedMs`, `silentMs`: how long the run has lasted before that, and been silent. */
export function startHealth(atMs: number, lastedMs = 0, silentMs = 0): HealthState {
  return {
    health: 'healthy',
    atMs,
    pendingMs: 0,
    window: emptyWindow,
    silentMs,
    lastedMs,
    networkQuietMs: 0,
    networkUnsureMs: 0,
    stall: null,
    seen: null,
    proof: null,
    parts: [],
    polling: null,
    ticking: null,
  };
}

/** Takes in one tick. Pure: the same state and tick always give the same diagnosis. */
export function advance(
  state: HealthState,
  tick: HealthTick,
  thresholds: Thresholds,
  norms: Norms = noNorms,
): { state: HealthState; diagnosis: Diagnosis } {
  const passage = passageOf(state, tick.sample, thresholds);
  const memory = remember(state, tick, passage, thresholds);
  const activity = windowActivity(memory.window);
  const situation = situationOf(state, memory, activity, tick, passage, thresholds, norms);
  const { name, health, confidence } = nextTransition(situation);
  const subject = subjectOf(situation, name, {
    numbers: numbersOf(tick.sample, activity, situation),
    verdict: verdictAt(name, memory),
  });
  return {
    state: stateOf(memory, health, situation),
    diagnosis: {
      health,
      confidence,
      severity: severities[health],
      reason: reasonOf(subject),
      safeToKill: confidence === 'certain',
      recommendation: recommendationOf(subject),
      needsAnswer: subject.needsAnswer,
      numbers: subject.numbers,
      verdict: subject.verdict,
      findings: situation.parts,
      evidence: evidenceOf(subject),
    },
  };
}

/** Field by field, as below: this runs for every run at every tick, and spreading costs several times as much. */
function stateOf(memory: Memory, health: Health, { stall, busy }: Situation): HealthState {
  const { atMs, pendingMs, window, silentMs, lastedMs, seen, proof, parts, polling, ticking } = memory;
  // A tree that has worked all the time did not wait for the network; a moment of work, such as a garbage collection,
  // does not count.
  const hasWorked = busy.includes('cpu') || busy.includes('io');
  const networkQuietMs = hasWorked ? 0 : memory.networkQuietMs;
  const networkUnsureMs = hasWorked ? 0 : memory.networkUnsureMs;
  return {
    health,
    atMs,
    pendingMs,
    window,
    silentMs,
    lastedMs,
    networkQuietMs,
    networkUnsureMs,
    stall,
    seen,
    proof,
    parts,
    polling,
    ticking,
  };
}

/** The last verdict; a wait for a port is known only over time. */
function verdictAt(name: TransitionName, { seen, polling }: Memory): Verdict | null {
  const isRefused = name === 'refused' || name === 'refused-long';
  if (seen === null) return null;
  return isRefused && polling !== null ? asPolling(seen.verdict, polling) : seen.verdict;
}

function subjectOf(
  situation: Situation,
  transition: TransitionName,
  { numbers, verdict }: Pick<Subject, 'numbers' | 'verdict'>,
): Subject {
  const { before, printed, sign, samples, samplesNeeded, silentMs, lastedMs, networkQuietMs } = situation;
  const { busy, excuse, mayLast, stall, proof, parts, polling, ticking } = situation;
  const { needsAnswer, thresholds, norms } = situation;
  return {
    before,
    printed,
    sign,
    samples,
    samplesNeeded,
    silentMs,
    lastedMs,
    networkQuietMs,
    busy,
    excuse,
    mayLast,
    stall,
    proof,
    parts,
    polling,
    ticking,
    needsAnswer,
    thresholds,
    norms,
    transition,
    numbers,
    verdict,
  };
}

function remember(state: HealthState, tick: HealthTick, passage: Passage, thresholds: Thresholds): Memory {
  const { sample, printed } = tick;
  const { elapsedMs, countedMs, pendingMs, whole, stopped } = passage;
  const latest = activityOf(sample, elapsedMs);
  const isBusy = busyWith(latest, thresholds).length > 0;
  const seen = nextSeen(state.seen, tick, isBusy, countedMs);
  const quiet = nextNetworkQuiet(state, tick, seen, countedMs);
  return {
    atMs: sample.atMs,
    pendingMs: whole ? 0 : pendingMs,
    // The idleness of a stopped tree is no evidence about what it does when it goes on.
    window: stopped ? state.window : addActivity(state.window, latest, whole, thresholds),
    silentMs: printed ? 0 : state.silentMs + countedMs,
    lastedMs: state.lastedMs + countedMs,
    networkQuietMs: quiet.networkQuietMs,
    networkUnsureMs: quiet.networkUnsureMs,
    seen,
    proof: nextProof(state.proof, tick, passage, thresholds),
    parts: nextParts(state.parts, tick, whole),
    polling: nextPolling(state.polling, tick, passage),
    ticking: nextTicking(state.ticking, tick, seen, isBusy, countedMs),
  };
}

function situationOf(
  state: HealthState,
  memory: Memory,
  activity: Activity,
  tick: HealthTick,
  { countedMs, stopped }: Passage,
  thresholds: Thresholds,
  norms: Norms,
): Situation {
  const { window, silentMs, lastedMs, networkQuietMs, proof } = memory;
  const busy = busyWith(activity, thresholds);
  const excuse = excuseOf(memory.seen, tick, thresholds);
  const isStalling = silentMs > thresholds.silenceMs && busy.length === 0 && excuse === null;
  const stall = stopped ? state.stall : nextStall(state.stall, countedMs);
  return {
    before: state.health,
    printed: tick.printed,
    sign: tick.sign ?? 'output',
    samples: window.samples.length,
    samplesNeeded: samplesPerWindow(thresholds),
    silentMs,
    lastedMs,
    networkQuietMs,
    busy,
    excuse,
    mayLast: mayLast(memory.seen, excuse),
    stall: isStalling ? stall : null,
    proof,
    parts: memory.parts.length === 0 ? none : provenParts(memory.parts, thresholds),
    polling: memory.polling,
    ticking: memory.ticking,
    needsAnswer: needsAnswer(memory.seen, tick.canAnswer),
    thresholds,
    norms,
  };
}

function nextStall(before: Stall | null, countedMs: number): Stall {
  if (before === null) return { forMs: 0, called: false };
  return { forMs: before.called ? before.forMs + countedMs : 0, called: true };
}

function numbersOf(sample: TreeSample, activity: Activity, situation: Situation): HealthNumbers {
  const { ioBytes, networkBytes, delayedMs } = activity;
  return {
    silentMs: situation.silentMs,
    cpuPercent: cpuPercentOf(activity),
    ioBytes,
    networkBytes,
    delayedMs,
    stalledMs: situation.stall?.forMs ?? 0,
    networkQuietMs: situation.networkQuietMs,
    samples: situation.samples,
    processes: sample.processes,
    threads: sample.threads,
    states: sample.states,
    connections: sample.connections,
    openFiles: sample.openFiles,
    residentBytes: sample.residentBytes,
    stdin: sample.stdin,
  };
}
