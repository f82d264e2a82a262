import { EventEmitter } from 'node:events';
import {
  type Ending,
  type Held,
  type Watchdog,
  type WatchdogEvent,
  type WatchdogOutcome,
  type WatchdogState,
  WatchdogTimeoutError,
} from '../model/watchdog.js';
import { describeTimeout } from '../run/telemetry/words.js';
import { nextWatchdog, startWatchdog, type WatchdogInput } from './advance.js';
import { agrees } from './agrees.js';
import { type EventFacts, WatchdogReporter } from './reporter.js';
import type { EndingUnderWay, Subject } from './subject.js';
import type { Sweep, Swept } from './sweep.js';

export interface WatcherOptions {
  pollIntervalMs: number;
  /** Infinite: the watchdog only waits for the end. */
  idleTimeoutMs: number;
  graceMs: number;
  judge: boolean;
  /** The longest silence that the judge may allow; infinite: any. */
  maxIdleMs: number;
  label: string | null;
  onEvent: ((event: WatchdogEvent) => void) | null;
  /** Whether there was a sign of life since the last call. Used where the caller does not call `activity`. */
  hasMoved: (() => boolean) | null;
}

/** Waits for the end of a subject, and ends it after too long a silence. */
export class Watcher implements Watchdog, Swept {
  readonly done: Promise<'stopped' | 'exited'>;
  readonly events = new EventEmitter();
  readonly #subject: Subject;
  readonly #options: WatcherOptions;
  readonly #sweep: Sweep;
  readonly #reporter: WatchdogReporter;
  readonly #startedMs: number;
  #state: WatchdogState;
  #settle: { resolve(how: 'stopped' | 'exited'): void; reject(error: Error): void } | null = null;
  #ending: EndingUnderWay | null = null;
  #dueMs = Number.POSITIVE_INFINITY;

  constructor(subject: Subject, options: WatcherOptions, sweep: Sweep) {
    this.#subject = subject;
    this.#options = options;
    this.#sweep = sweep;
    this.#startedMs = sweep.clock.now();
    this.#state = startWatchdog(this.#startedMs);
    const { pid } = subject;
    this.#reporter = new WatchdogReporter(this.events, { pid, label: options.label }, options.onEvent);
    this.done = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    // A caller that does not use `done` gets no unhandled rejection.
    this.done.catch(() => {});
    const { pollIntervalMs, idleTimeoutMs, graceMs, judge, maxIdleMs } = options;
    this.#report({
      kind: 'watchdog.started',
      pollIntervalMs,
      idleTimeoutMs: finite(idleTimeoutMs),
      graceMs,
      judge,
      maxIdleMs: finite(maxIdleMs),
    });
    if (!subject.isAlive()) this.noteExit();
    this.#plan();
  }

  get pid(): number | null {
    return this.#subject.pid;
  }

  get label(): string | null {
    return this.#options.label;
  }

  get state(): WatchdogState {
    return this.#state;
  }

  get dueMs(): number {
    return this.#dueMs;
  }

  activity(): void {
    if (this.#state.phase === 'ended') return;
    this.#step({ kind: 'activity' });
    this.#reporter.reportActivity(this.#sweep.clock.now());
  }

  stop(): void {
    this.#step({ kind: 'stopped' });
  }

  /** The end of the subject was seen elsewhere. */
  noteExit(): void {
    this.#step({ kind: 'exited' });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop();
    await this.#ending?.done;
  }

  sweep(lateMs: number): void {
    const isAlive = this.#subject.isAlive();
    if (isAlive && this.#options.hasMoved?.()) this.activity();
    this.#step({ kind: 'polled', isAlive, lateMs });
    this.#plan();
  }

  #step(input: WatchdogInput): void {
    const before = this.#state;
    const after = nextWatchdog(before, input, this.#sweep.clock.now(), this.#options);
    this.#state = after;
    if (after.phase === before.phase) return;
    if (after.phase === 'judging') void this.#judge(after.sinceMs);
    else if (after.phase === 'terminating') this.#terminate(after);
    else if (after.phase === 'ended') this.#end(after.outcome);
    else if (before.phase === 'judging' && after.held !== null) this.#hold(after, before.held);
  }

  /** Watchdogs with the same interval are polled at the same moments. */
  #plan(): void {
    const { pollIntervalMs, idleTimeoutMs, maxIdleMs } = this.#options;
    const state = this.#state;
    if (state.phase === 'ended' || state.phase === 'terminating') {
      this.#sweep.remove(this);
      return;
    }
    const nowMs = this.#sweep.clock.now();
    const pollMs = (Math.floor(nowMs / pollIntervalMs) + 1) * pollIntervalMs;
    const limits = [state.activeMs + idleTimeoutMs, state.activeMs + maxIdleMs];
    this.#dueMs = Math.min(pollMs, ...limits.filter((atMs) => atMs > nowMs));
    // There is nothing to poll, and no limit that could be reached.
    if (this.pid === null && idleTimeoutMs === Number.POSITIVE_INFINITY) return;
    this.#sweep.add(this);
  }

  async #judge(sinceMs: number): Promise<void> {
    const verdict = await this.#subject.judge().catch(() => null);
    // Changes during the judgement count before its result.
    if (!this.#subject.isAlive()) this.noteExit();
    if (this.#options.hasMoved?.()) this.activity();
    this.#step({ kind: 'judged', sinceMs, verdict, agrees: verdict !== null && agrees(verdict) });
  }

  #hold({ activeMs, held }: { activeMs: number; held: Held | null }, before: Held | null): void {
    const verdict = held?.verdict ?? null;
    if (before !== null && before.verdict?.kind === verdict?.kind) return;
    const idleMs = Math.round(this.#sweep.clock.now() - activeMs);
    const ceilingInMs = finite(Math.max(0, this.#options.maxIdleMs - idleMs));
    this.#report({ kind: 'watchdog.held', idleMs, verdict, ceilingInMs });
  }

  #terminate({ because, idleMs, verdict }: Extract<WatchdogState, { phase: 'terminating' }>): void {
    const decided = this.#state;
    this.#report({ kind: 'watchdog.timeout', because, idleMs, verdict });
    // A listener may have stopped the watchdog.
    if (this.#state !== decided) return;
    const ending = this.#subject.end(this.#options.graceMs);
    this.#ending = ending;
    // The function that ends the subject may have stopped the watchdog too.
    if (this.#state !== decided) ending.cancel();
    void ending.done.then(
      (how) => this.#step({ kind: 'terminated', ending: how }),
      (error: unknown) => this.#step({ kind: 'terminated', ending: failedEnding(error) }),
    );
  }

  #end(outcome: WatchdogOutcome): void {
    this.#sweep.remove(this);
    if (outcome.kind === 'stopped') this.#ending?.cancel();
    if (outcome.kind === 'timed-out') {
      const { idleMs, ending } = outcome;
      const survivors = ending.receipt?.survivors ?? [];
      const isKilled = ending.isGone || ending.asked;
      if (isKilled) this.#report({ kind: 'watchdog.killed', idleMs, signal: ending.signal, survivors });
    }
    const watchedMs = Math.round(this.#sweep.clock.now() - this.#startedMs);
    this.#report({ kind: 'watchdog.ended', outcome: outcome.kind, watchedMs });
    if (outcome.kind === 'timed-out') this.#settle?.reject(this.#errorOf(outcome));
    else this.#settle?.resolve(outcome.kind);
  }

  #errorOf({
    because,
    idleMs,
    verdict,
    ending,
  }: WatchdogOutcome & { kind: 'timed-out' }): WatchdogTimeoutError {
    const facts = { ...ending, pid: this.pid, label: this.label, because, idleMs, verdict };
    return new WatchdogTimeoutError(describeTimeout(facts), facts);
  }

  #report(facts: EventFacts): void {
    this.#reporter.report(facts);
  }
}

/** null: there is no limit. */
function finite(limitMs: number): number | null {
  return Number.isFinite(limitMs) ? limitMs : null;
}

/** Not expected. The caller must not wait for ever because of it. */
function failedEnding(error: unknown): Ending {
  const trouble = error instanceof Error ? error : new Error(String(error));
  return { signal: null, asked: false, trouble, isGone: false, receipt: null };
}
