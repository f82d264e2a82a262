import type { RestartRecord } from './restart-record.js';
import type { Exit, Outcome } from './run.js';

export const restartMaxDefault = 10;
export const restartDelayMsDefault = 1000;
/** However short a delay is asked for: a command that fails at once must not take the machine. */
export const restartDelayMsMin = 100;
export const restartDelayMsMax = 60_000;
/** A run that lived this long has worked: the next end counts as the first one. */
export const steadyMs = 60_000;

export interface EndedAttempt {
  outcome: Outcome;
  exit: Exit;
  livedMs: number;
}

export type RestartDecision =
  | { kind: 'restart'; delayMs: number; attempt: number; failures: number }
  /** The chain ends here. */
  | { kind: 'over'; reason: string };

/** What follows the end of a run. Depends on nothing but what is on disk, so that every daemon decides the same. */
export function nextRestart(
  record: RestartRecord,
  { outcome, exit, livedMs }: EndedAttempt,
): RestartDecision {
  const { on, max, delayMs, attempt, failures } = record;
  if (outcome === 'interrupted') return { kind: 'over', reason: 'it was stopped on request' };
  if (outcome === 'not-started') return { kind: 'over', reason: 'it could not be started' };
  const isSuccess = outcome === 'exited' && exit.code === 0;
  if (isSuccess && on === 'on-failure') return { kind: 'over', reason: 'it ended with success' };
  const before = livedMs >= steadyMs ? 0 : failures;
  if (before >= max) return { kind: 'over', reason: `it was restarted ${before} times in a row` };
  const waitMs = Math.max(restartDelayMsMin, delayMs) * 2 ** Math.min(before, 20);
  return {
    kind: 'restart',
    delayMs: Math.min(restartDelayMsMax, waitMs),
    attempt: attempt + 1,
    failures: before + 1,
  };
}
