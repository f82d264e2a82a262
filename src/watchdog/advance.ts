import type { Verdict } from '../model/verdict.js';
import type { Ending, TimeoutCause, WatchdogState } from '../model/watchdog.js';

export type WatchdogInput =
  | { kind: 'activity' }
  /** `lateMs`: how late this poll is because the program itself did not run. */
  | { kind: 'polled'; isAlive: boolean; lateMs: number }
  /** `sinceMs`: the start of the judgement that this answers. */
  | { kind: 'judged'; sinceMs: number; verdict: Verdict | null; agrees: boolean }
  | { kind: 'terminated'; ending: Ending }
  | { kind: 'exited' }
  | { kind: 'stopped' };

export interface WatchdogRules {
  idleTimeoutMs: number;
  judge: boolean;
  /** The longest silence that the judge may allow; infinite: any. */
  maxIdleMs: number;
}

/** A shorter delay is normal for a busy program. */
const lateMsMin = 1000;

export function startWatchdog(atMs: number): WatchdogState {
  return { phase: 'watching', activeMs: atMs, held: null };
}

/** The only place where a watchdog changes its state. An ended watchdog stays ended, and the caller always wins. */
export function nextWatchdog(
  state: WatchdogState,
  input: WatchdogInput,
  atMs: number,
  rules: WatchdogRules,
): WatchdogState {
  if (state.phase === 'ended') return state;
  if (input.kind === 'stopped') return { phase: 'ended', outcome: { kind: 'stopped' } };
  switch (state.phase) {
    case 'watching':
      return whileWatching(state, input, atMs, rules);
    case 'judging':
      return whileJudging(state, input, atMs, rules);
    case 'terminating':
      return whileTerminating(state, input);
  }
}

type InPhase<Phase> = Extract<WatchdogState, { phase: Phase }>;

const exited: WatchdogState = { phase: 'ended', outcome: { kind: 'exited' } };

function whileWatching(
  state: InPhase<'watching'>,
  input: WatchdogInput,
  atMs: number,
  { idleTimeoutMs, judge, maxIdleMs }: WatchdogRules,
): WatchdogState {
  if (input.kind === 'activity') return activeAt(atMs, state.activeMs);
  if (input.kind === 'exited') return exited;
  if (input.kind !== 'polled') return state;
  if (!input.isAlive) return exited;
  const activeMs = withoutLost(state.activeMs, input.lateMs, atMs);
  const idleMs = atMs - activeMs;
  if (idleMs < idleTimeoutMs) return activeMs === state.activeMs ? state : { ...state, activeMs };
  if (!judge) return terminating('idle', idleMs, null);
  return idleMs >= maxIdleMs
    ? terminating('ceiling', idleMs, state.held?.verdict ?? null)
    : { phase: 'judging', activeMs, held: state.held, sinceMs: atMs };
}

function whileJudging(
  state: InPhase<'judging'>,
  input: WatchdogInput,
  atMs: number,
  { maxIdleMs }: WatchdogRules,
): WatchdogState {
  const { activeMs, sinceMs } = state;
  if (input.kind === 'activity') return activeAt(atMs, activeMs);
  if (input.kind === 'exited' || (input.kind === 'polled' && !input.isAlive)) return exited;
  // A judge that never answers must not keep the process alive.
  if (input.kind === 'polled') {
    const since = withoutLost(activeMs, input.lateMs, atMs);
    if (atMs - since >= maxIdleMs) return terminating('ceiling', atMs - since, state.held?.verdict ?? null);
    return since === activeMs ? state : { ...state, activeMs: since };
  }
  if (input.kind !== 'judged' || input.sinceMs !== sinceMs) return state;
  const { agrees, verdict } = input;
  return agrees
    ? terminating('verdict', atMs - activeMs, verdict)
    : { phase: 'watching', activeMs, held: { verdict } };
}

/** Output and exit are now effects of the watchdog's own signals. */
function whileTerminating(state: InPhase<'terminating'>, input: WatchdogInput): WatchdogState {
  if (input.kind !== 'terminated') return state;
  const { ending } = input;
  // The process had finished before anything was done to it.
  if (ending.isGone && ending.signal === null && !ending.asked) return exited;
  const { because, idleMs, verdict } = state;
  return { phase: 'ended', outcome: { kind: 'timed-out', because, idleMs, verdict, ending } };
}

function terminating(because: TimeoutCause, idleMs: number, verdict: Verdict | null): WatchdogState {
  return { phase: 'terminating', because, idleMs: Math.round(idleMs), verdict };
}

/** While this program did not run (suspended, stopped, blocked), no activity could reach it. */
function withoutLost(activeMs: number, lateMs: number, atMs: number): number {
  return Math.min(atMs, activeMs + (lateMs >= lateMsMin ? lateMs : 0));
}

function activeAt(atMs: number, beforeMs: number): WatchdogState {
  return { phase: 'watching', activeMs: Math.max(atMs, beforeMs), held: null };
}
