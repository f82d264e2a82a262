import { setTimeout as delay } from 'node:timers/promises';
import type { Notice } from '../model/notice.js';
import { jsonText } from '../text/json-text.js';

/** How an attempt to deliver a notice ended. No reason has a secret in it. */
export type Attempt =
  | { kind: 'delivered' }
  /** It may go better next time. `tellNow`: somebody has to do something about it. */
  | { kind: 'failed'; reason: string; tellNow?: boolean }
  /** It never will. */
  | { kind: 'refused'; reason: string };

/** Where the notices of a run are brought. */
export interface DeliveryTarget {
  /** As it is named in a warning. */
  readonly name: string;
  /** Does not reject; ends soon after the signal. */
  attempt(notice: Notice, signal: AbortSignal): Promise<Attempt>;
  /** How long to wait after so many failures of one notice; null: no more. */
  pauseMs(failures: number, sinceMs: number, random: () => number): number | null;
}

/** Time and chance, so that a test need not wait for either. */
export interface DeliveryClock {
  /** Milliseconds that never jump. */
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

/** What leaves us: the same fields as in the operation `notices`. */
export function deliveryBody({ key, offset, ...told }: Notice): string {
  return jsonText(told);
}
