import { setTimeout as delay } from 'node:timers/promises';
import type { Notice } from '../model/notice.js';
import { jsonText } from '../text/json-text.js';

/** How an attempt to deliver a notice ended. A reason never contains a secret. */
export type Attempt =
  | { kind: 'delivered' }
  /** The next attempt may succeed. `reportNow`: the user has to act, so the warning comes at once. */
  | { kind: 'failed'; reason: string; reportNow?: boolean }
  /** No attempt will ever succeed. */
  | { kind: 'refused'; reason: string };

/** Where the notices of a run are delivered. */
export interface DeliveryTarget {
  /** Its name in a warning. */
  readonly name: string;
  /** Does not reject. Ends soon after the signal. */
  attempt(notice: Notice, signal: AbortSignal): Promise<Attempt>;
  /** How long to wait after this many failures of a notice; null: no more attempts. */
  pauseMs(failures: number, sinceMs: number, random: () => number): number | null;
}

/** Time and randomness, so that a test need not wait for either. */
export interface DeliveryClock {
  /** Milliseconds of a clock that never jumps. */
  nowMs(): number;
  /** Resolves at the latest when the signal comes. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** 0 to 1. */
  random(): number;
}

export const realClock: DeliveryClock = {
  nowMs: () => performance.now(),
  sleep: (ms, signal) => delay(ms, undefined, { signal }).catch(() => {}),
  random: Math.random,
};

/** The body that is sent: the same fields as in the operation `notices`. */
export function deliveryBody({ key, offset, ...shown }: Notice): string {
  return jsonText(shown);
}
