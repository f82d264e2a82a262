import { knownValue, mapReading } from '../../model/facts/reading.js';
import { Failure } from '../../model/failure.js';
import { nextRestart, restartDelayMsMax } from '../../model/run/restart.js';
import type { RestartRecord } from '../../model/run/restart-record.js';
import type { BackgroundRun } from '../background-run.js';
import { forgetEnvironment, keptRequest } from '../start/kept-request.js';
import type { StartRequest } from '../start/prepare-start.js';

export interface RestartsOptions {
  /** The run of an attempt; undefined: there is none. */
  runOf(chain: string, attempt: number): BackgroundRun | undefined;
  /** Starts an attempt. */
  launch(chain: string, request: StartRequest): void;
  /** A restart may have been scheduled or called off. */
  changed(): void;
}

interface Pending {
  timer: NodeJS.Timeout;
  dueMs: number;
}

/** What is known about the restarts of a run. */
export interface RestartState {
  on: RestartRecord['on'];
  attempt: number;
  /** When it is started again; null: it lives, or it will not be. */
  nextAt: string | null;
  /** Why it is not started again; null: it lives, or it will be. */
  over: string | null;
}

const fileName = 'restart.json';

/**
 * Starts runs again as their policy says. Each attempt has the id that its chain and its number give, so that a daemon
 * which comes later finds it instead of starting it a second time.
 */
export class Restarts {
  readonly #options: RestartsOptions;
  readonly #pending = new Map<string, Pending>();
  #waiting: BackgroundRun[] | null = [];

  constructor(options: RestartsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#pending.size;
  }

  /** All runs on disk are known: what ended before is decided now. */
  open(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    for (const run of waiting) this.ended(run);
  }

  /** To be called for every run that has ended. */
  ended(run: BackgroundRun): void {
    if (run.record.background.restart === undefined) return;
    if (this.#waiting !== null) {
      this.#waiting.push(run);
      return;
    }
    this.#schedule(run, 0);
  }

  isPending({ id }: BackgroundRun): boolean {
    return this.#pending.has(id);
  }

  /** undefined: the run has no policy. */
  stateOf(run: BackgroundRun): RestartState | undefined {
    const { restart } = run.record.background;
    if (restart === undefined) return undefined;
    const { on, attempt } = restart;
    const dueMs = this.#pending.get(run.id)?.dueMs;
    const nextAt = dueMs === undefined ? null : new Date(dueMs).toISOString();
    const isNext = run.status === 'running' || nextAt !== null || this.#nextOf(run) !== undefined;
    return { on, attempt, nextAt, over: isNext ? null : overReason(run) };
  }

  /** The newest attempt of the chain that a run belongs to. */
  latestOf(run: BackgroundRun): BackgroundRun {
    const next = this.#nextOf(run);
    return next === undefined ? run : this.latestOf(next);
  }

  /** The chain ends with this run, whatever its policy says. Returns whether a restart was due. */
  callOff(run: BackgroundRun, reason: string): boolean {
    if (run.record.background.restart === undefined) return false;
    // Stored first: the next daemon must not start it either.
    run.directory.writeWhole(fileName, { over: reason });
    const isDue = this.#drop(run);
    if (run.status !== 'running') this.#end(run);
    return isDue;
  }

  close(): void {
    for (const { timer } of this.#pending.values()) clearTimeout(timer);
    this.#pending.clear();
  }

  #drop({ id }: BackgroundRun): boolean {
    clearTimeout(this.#pending.get(id)?.timer);
    const isDue = this.#pending.delete(id);
    if (isDue) this.#options.changed();
    return isDue;
  }

  #nextOf(run: BackgroundRun): BackgroundRun | undefined {
    const { restart } = run.record.background;
    return restart && this.#options.runOf(restart.chain, restart.attempt + 1);
  }

  #schedule(run: BackgroundRun, againMs: number): void {
    const { restart } = run.record.background;
    const end = run.attemptEnd;
    if (restart === undefined || end === null || this.#nextOf(run) !== undefined) return;
    const decision = nextRestart(restart, end);
    const isCalledOff = overReason(run) !== null;
    if (decision.kind === 'over' || isCalledOff) {
      if (decision.kind === 'over' && !isCalledOff) keepOver(run, decision.reason);
      this.#end(run);
      return;
    }
    const { attempt, failures, delayMs } = decision;
    const leftMs = run.endedMs + delayMs - Date.now();
    // A clock that was set back must not put the restart off for long.
    const waitMs = Math.max(againMs, Math.min(delayMs, Math.max(0, leftMs)));
    const timer = setTimeout(() => this.#restart(run, { ...restart, attempt, failures }, againMs), waitMs);
    this.#pending.set(run.id, { timer, dueMs: Date.now() + waitMs });
    this.#options.changed();
  }

  #restart(run: BackgroundRun, restart: RestartRecord, againMs: number): void {
    this.#pending.delete(run.id);
    try {
      const { chain, attempt, failures } = restart;
      const request = { ...keptRequest(run), inChain: { chain, attempt, failures } };
      this.#options.launch(chain, request);
      this.#end(run);
    } catch (error) {
      const { code, message } = error as Failure;
      const isPassing =
        !(error instanceof Failure) || ['cannot-start', 'cannot-write', 'cannot-read'].includes(code);
      run.warn(`it could not be started again: ${message}`);
      if (!isPassing) this.callOff(run, `it could not be started again: ${message}`);
      else this.#schedule(run, Math.min(restartDelayMsMax, Math.max(1000, againMs * 2)));
    }
  }

  #end(run: BackgroundRun): void {
    try {
      forgetEnvironment(run.directory);
    } catch {
      // The disk is full, or the file cannot be read. It goes with the run.
    }
    this.#options.changed();
  }
}

/** Why the chain has ended with this run; null: it has not, or not yet. */
function overReason({ directory }: BackgroundRun): string | null {
  const reason = mapReading(directory.readJson(fileName), (content) => {
    const { over } = (content ?? {}) as { over?: unknown };
    return typeof over === 'string' ? over : null;
  });
  return knownValue(reason, 'whether it is started again');
}

function keepOver({ directory }: BackgroundRun, over: string): void {
  try {
    directory.writeWhole(fileName, { over });
  } catch {
    // The next daemon decides the same.
  }
}
