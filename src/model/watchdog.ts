import type { Receipt } from './receipt.js';
import type { Verdict } from './verdict.js';

/** Watches over one process, or one connection. */
export interface Watchdog {
  readonly pid: number | null;
  readonly label: string | null;
  readonly state: WatchdogState;
  /** Resolves when it was stopped or what it watched ended by itself; rejects with a WatchdogTimeoutError. */
  readonly done: Promise<'stopped' | 'exited'>;
  /** Emits `activity`, `held`, `timeout`, `killed` and `ended`, each with its WatchdogEvent. */
  readonly events: NodeJS.EventEmitter;
  /** A sign of life: the time without activity begins anew. */
  activity(): void;
  /** It has finished, or nobody cares any more. Nothing is signalled once this has returned; `done` resolves. */
  stop(): void;
  [Symbol.asyncDispose](): Promise<void>;
}

/** How a process that was silent for too long was ended. */
export interface Ending {
  /** The one that worked on the process itself; null: none was sent, or none was enough. */
  signal: 'SIGTERM' | 'SIGKILL' | null;
  /** The caller's own `terminate` was called. */
  asked: boolean;
  /** What it failed with; null: it did not. */
  trouble: Error | null;
  /** Proven; without a process to look at, nothing is. */
  isGone: boolean;
  /** null: there was no tree that could be signalled. */
  receipt: Receipt | null;
}

/**
 * `idle`: silent for the idle timeout; `verdict`: the judge agreed as well; `ceiling`: the judge spared it, until the
 * longest silence that may be spared was over.
 */
export type TimeoutCause = 'idle' | 'verdict' | 'ceiling';

export type WatchdogOutcome =
  | { kind: 'stopped' }
  | { kind: 'exited' }
  | { kind: 'timed-out'; because: TimeoutCause; idleMs: number; verdict: Verdict | null; ending: Ending };

/** Why it was not ended the last time, as long as it stays idle. */
export interface Held {
  /** null: it could not be read what it is doing. */
  verdict: Verdict | null;
}

/** Times are milliseconds of a clock that never jumps. */
export type WatchdogState =
  | { phase: 'watching'; activeMs: number; held: Held | null }
  /** Idle for too long; somebody looks whether it may still go on. */
  | { phase: 'judging'; activeMs: number; held: Held | null; sinceMs: number }
  | { phase: 'terminating'; because: TimeoutCause; idleMs: number; verdict: Verdict | null }
  | { phase: 'ended'; outcome: WatchdogOutcome };

interface Told {
  /** Tells the watchdogs of this program apart. */
  id: number;
  pid: number | null;
  label: string | null;
  at: string;
}

/** C6. */
export type WatchdogEvent = Told &
  (
    | {
        kind: 'watchdog.started';
        pollIntervalMs: number;
        /** null: it is switched off, and only waits for the end. */
        idleTimeoutMs: number | null;
        graceMs: number;
        judge: boolean;
        /** The longest silence that the judge may spare; null: any. */
        maxIdleMs: number | null;
      }
    /** `count`: since the last one that was told; at most one is told per second. */
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

/** What `done` rejects with: C1. */
export class WatchdogTimeoutError extends Error {
  override name = 'WatchdogTimeoutError';
  readonly code = 'watchdog-timeout';
  readonly pid: number | null;
  readonly label: string | null;
  readonly because: TimeoutCause;
  readonly idleMs: number;
  readonly signal: Ending['signal'];
  readonly isGone: boolean;
  /** null: nobody looked. */
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
