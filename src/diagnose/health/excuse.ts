import type { HealthTick, Thresholds } from '../../model/run/health.js';
import { certainties, type Verdict, type VerdictKind } from '../../model/verdict.js';

/** The last verdict since the last output. */
export interface Seen {
  verdict: Verdict;
  ageMs: number;
  /** The tree was active after the last snapshot. */
  movedSince: boolean;
}

/**
 * Why silence and idleness are no fault: a service rests, a wait ends by itself, a network may be slow, and of a
 * process that hides itself only its silence is known.
 */
export type Excuse = 'service' | 'wait' | 'network' | 'hidden';

/** `fresh`: true of an instant, and worth nothing once the whole window contradicts it. */
const excuses: Partial<Record<VerdictKind, { excuse: Excuse; fresh?: true }>> = {
  service: { excuse: 'service' },
  timer: { excuse: 'wait' },
  lock: { excuse: 'wait' },
  network: { excuse: 'network' },
  working: { excuse: 'wait', fresh: true },
  starved: { excuse: 'wait', fresh: true },
};

/** A standard input on which an answer could come: a process that hides itself may be waiting for it. */
const mayAsk = /^(pipe:|socket:|\/dev\/(pts\/|tty))/;

export function nextSeen(
  before: Seen | null,
  { verdict, printed }: HealthTick,
  isBusy: boolean,
  countedMs: number,
): Seen | null {
  if (verdict !== null) return { verdict, ageMs: 0, movedSince: false };
  if (printed || before === null) return null;
  return {
    verdict: before.verdict,
    ageMs: before.ageMs + countedMs,
    movedSince: before.movedSince || isBusy,
  };
}

export function excuseOf(
  seen: Seen | null,
  { canAnswer, sample }: HealthTick,
  thresholds: Thresholds,
): Excuse | null {
  if (seen === null) return null;
  const { kind, certainty, hidden, relieved } = seen.verdict;
  if (relieved) return 'wait';
  if (hidden) return mayAsk.test(sample.stdin ?? '') && !canAnswer ? null : 'hidden';
  if (kind === 'needs-input' && canAnswer) return certainty === 'low' ? null : 'wait';
  const known = excuses[kind];
  if (known === undefined) return null;
  if (known.fresh) return seen.ageMs <= thresholds.activityMs ? known.excuse : null;
  return certainty === 'low' ? null : known.excuse;
}

/** Waits that end by themselves, as a rule. Nothing but the habits of the command shows that one will not. */
const lasting: ReadonlySet<VerdictKind> = new Set(['timer', 'lock']);

/**
 * Whether a wait may last for ever: no process works for it, it asks no user, and it does not wait for the network, which
 * has a patience of its own.
 */
export function mayLast(seen: Seen | null, excuse: Excuse | null): boolean {
  if (seen === null) return false;
  if (excuse === null || excuse === 'service') return true;
  return excuse === 'wait' && lasting.has(seen.verdict.kind) && !seen.verdict.relieved;
}

/** The tree asks, and a user is there to answer. */
export function needsAnswer(seen: Seen | null, canAnswer: boolean): boolean {
  if (seen === null || !canAnswer || seen.movedSince || seen.verdict.kind !== 'needs-input') return false;
  return certainties.indexOf(seen.verdict.certainty) >= certainties.indexOf('high');
}
