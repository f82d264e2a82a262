import type { Receipt } from './run/receipt.js';
import type { Verdict } from './verdict.js';

/** Watches one process or one connection. */
export interface Watchdog {
  readonly pid: number | null;
  readonly label: string | null;
  readonly state: WatchdogState;
  /** Resolves when it was stopped or the target ended by itself; rejects with a WatchdogTimeoutError. */
  readonly done: Promise<'stopped' | 'exited'>;
  /** Emits `activity`, `held`, `timeout`, `killed` and `ended`, each with its WatchdogEvent. */
  readonly events: NodeJS.EventEmitter;
  /** Reports activity: the idle time starts anew. */
  activity(): void;
  /** Ends the watchdog. Nothing is signalled after this has returned; `done` resolves. */
  stop(): void;
  [Symbol.asyncDispose](): Promise<void>;
}

/** How a process that was idle for too long was ended. */
export interface Ending {
  /** The signal that ended the process; null: none was sent, or none was enough. */
  signal: 'SIGTERM' | 'SIGKILL' | null;
  /** The caller's own `terminate` was called. */
  asked: boolean;
  /** The error of `terminate`; null: none. */
  trouble: Error | null;
  /** Proven to be gone; without a process this is false. */
  isGone: boolean;
  /** null: there was no tree that could be signalled. */
  receipt: Receipt | null;
}

/**
 * `idle`: idle for the idle timeout; `verdict`: the judge agreed; `ceiling`: the judge spared it until `maxIdleMs` was
 * over.
 */
export type TimeoutCause = 'idle' | 'verdict' | 'ceiling';

/** How a watch ended. */
export type WatchdogOutcome =
  | { kind: 'stopped' }
  | { kind: 'exited' }
  | { kind: 'timed-out'; because: TimeoutCause; idleMs: number; verdict: Verdict | null; ending: Ending };

/** Why it was spared the last time, while it stays idle. */
export interface Held {
  /** null: its state could not be read. */
  verdict: Verdict | null;
}

/** Times are milliseconds of a monotonic clock. */
export type WatchdogState =
  | { phase: 'watching'; activeMs: number; held: Held | null }
  /** Idle for too long; the judge checks whether it may still go on. */
  | { phase: 'judging'; activeMs: number; held: Held | null; sinceMs: number }
  | { phase: 'terminating'; because: TimeoutCause; idleMs: number; verdict: Verdict | null }
  | { phase: 'ended'; outcome: WatchdogOutcome };

interface EventBase {
  /** Distinguishes the watchdogs of this program. */
  id: number;
  pid: number | null;
  label: string | null;
  at: string;
}

/** What happens to a watched process. */
export type WatchdogEvent = EventBase &
  (
    | {
        kind: 'watchdog.started';
        pollIntervalMs: number;
        /** null: switched off; it only waits for the end. */
        idleTimeoutMs: number | null;
        graceMs: number;
        judge: boolean;
        /** The longest idle time that the judge may spare; null: no limit. */
        maxIdleMs: number | null;
      }
    /** `count`: activities since the last event; at most one event per second. */
    | { kind: 'watchdog.activity'; count: number }
    /** Reported when the reason is a new one. `ceilingInMs`: time until it is ended all the same; null: never. */
    | { kind: 'watchdog.held'; idleMs: number; verdict: Verdict | null; ceilingInMs: number | null }
    | { kind: 'watchdog.timeout'; because: TimeoutCause; idleMs: number; verdict: Verdict | null }
    | { kind: 'watchdog.killed'; idleMs: number; signal: Ending['signal']; survivors: number[] }
    | { kind: 'watchdog.ended'; outcome: WatchdogOutcome['kind']; watchedMs: number }
  );

export type WatchdogEventKind = WatchdogEvent['kind'];

export const watchdogEventKinds = [
  'watchdog.started',
  'watchdog.activity',
  'watchdog.held',
  'watchdog.timeout',
  'watchdog.killed',
  'watchdog.ended',
] as const satisfies readonly WatchdogEventKind[];

export type WatchdogTimeoutFacts = Ending & {
  pid: number | null;
  label: string | null;
  because: TimeoutCause;
  idleMs: number;
  verdict: Verdict | null;
};

/** The error that `done` rejects with. */
export class WatchdogTimeoutError extends Error {
  override name = 'WatchdogTimeoutError';
  readonly code = 'watchdog-timeout';
  readonly pid: number | null;
  readonly label: string | null;
  readonly because: TimeoutCause;
  readonly idleMs: number;
  readonly signal: Ending['signal'];
  readonly isGone: boolean;
  /** null: not judged. */
  readonly verdict: Verdict | null;
  readonly receipt: Receipt | null;

  constructor(message: string, facts: WatchdogTimeoutFacts) {
    super(message, facts.trouble === null ? undefined : { cause: facts.trouble });
    this.pid = facts.pid;
    this.label = facts.label;
    this.because = facts.because;
    this.idleMs = facts.idleMs;
    this.signal = facts.signal;
    this.isGone = facts.isGone;
    this.verdict = facts.verdict;
    this.receipt = facts.receipt;
  }
}
