import type { RunSettings } from '../config/run-settings.js';
import { valueOr } from '../model/facts/reading.js';
import type { BackgroundRecord, RunStatus } from '../model/run/background.js';
import type { TreeSample } from '../model/run/health.js';
import type { OutputLost } from '../model/run/output-lost.js';
import type { Receipt } from '../model/run/receipt.js';
import type { Exit, RunLog, RunRecord } from '../model/run/run.js';
import { RunInput } from '../run/input/run-input.js';
import { Journal } from '../run/journal.js';
import type { Ending } from '../run/stop/ending.js';
import type { RunDirectory } from '../store/run-directory.js';
import { ChangeListeners } from './change-listeners.js';
import type { Ended } from './end/end-monitor.js';
import { killRun } from './end/kill-run.js';
import { readEnd } from './end/read-end.js';
import type { RunEnd } from './end/run-end.js';
import { writeReport } from './end/write-report.js';
import type { Crowd } from './monitor/crowd.js';
import { RunMonitor } from './monitor/run-monitor.js';
import { needInput } from './need-input.js';
import { BackgroundLog } from './output/background-log.js';
import { type RunState, stateOf } from './run-state.js';
import { settingsOf } from './settings-of.js';
import { Trouble } from './trouble.js';

export interface BackgroundRunRecord extends RunRecord {
  background: BackgroundRecord;
}

export interface BackgroundRunOptions {
  directory: RunDirectory;
  record: BackgroundRunRecord;
  /** The shim that this daemon just started for the run; null: another daemon started it. */
  shim: number | null;
  crowd: Crowd;
  /** How many bytes of a log may be kept when `wantedBytes` are wanted. */
  capOf(wantedBytes: number): number;
  /** Called once. */
  ended(): void;
}

/** A run in the background, live or ended. */
export class BackgroundRun {
  readonly id: string;
  /** By the wall clock. */
  readonly startedMs: number;
  readonly record: BackgroundRunRecord;
  readonly directory: RunDirectory;
  readonly settings: RunSettings;
  readonly log: BackgroundLog;
  readonly input: RunInput | null;
  /** A remark beside its health while it runs, such as that its owner is gone; null: none. */
  remark: string | null = null;
  readonly #options: BackgroundRunOptions;
  readonly #journal: Journal;
  readonly #watch: RunMonitor;
  readonly #listeners = new ChangeListeners();
  readonly #trouble = new Trouble();
  #end: RunEnd | null = null;
  #isClosed = false;

  constructor(options: BackgroundRunOptions) {
    const { directory, record, crowd } = options;
    this.#options = options;
    this.id = record.id;
    this.record = record;
    this.startedMs = Date.parse(record.startedAt);
    this.directory = directory;
    const { settings, warnings } = settingsOf(record.background);
    this.settings = settings;
    this.#journal = new Journal(directory, () => {});
    for (const warning of warnings) this.#journal.warn(warning);
    const { input, notify } = record.background;
    this.log = new BackgroundLog({
      directory,
      log: record.logs[0] as RunLog,
      settings: this.settings,
      onTerminal: input === 'pty' ? record.command : null,
      capBytes: () => options.capOf(this.settings.logCapBytes),
      warn: (message) => this.#journal.warn(message),
    });
    this.input = input === 'none' ? null : new RunInput(directory, input);
    this.#watch = new RunMonitor({
      id: this.id,
      directory,
      settings: this.settings,
      boot: record.supervisor?.bootId ?? '',
      shim: options.shim,
      canAnswer: input !== 'none',
      wantsStall: this.settings.killOnStall || notify?.events.includes('stalled') === true,
      tail: this.log.tail,
      journal: this.#journal,
      crowd,
      changed: () => this.#changed(),
      ended: (standing, ending) => void this.#finish(standing, ending),
    });
    try {
      this.#watch.begin();
      // Under the last daemon something may have been written that the pump does not know of.
      if (this.#watch.standing.kind !== 'ended') this.input?.ring();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  get status(): RunStatus {
    return this.#end?.status ?? 'running';
  }

  /** null: the run has not ended. */
  get exit(): Exit | null {
    return this.#end?.exit ?? null;
  }

  /** null: the run was never seen running. */
  get pid(): number | null {
    return this.#watch.leader?.pid ?? null;
  }

  /** When the run ended, by the wall clock; 0: it has not ended. */
  get endedMs(): number {
    return this.#end?.atMs ?? 0;
  }

  get elapsedMs(): number {
    return this.#end === null ? this.#watch.elapsedMs : Math.max(0, this.#end.atMs - this.startedMs);
  }

  get state(): RunState {
    const { id, elapsedMs, remark, outputLost } = this;
    const { agent } = this.log.tail;
    const { diagnosis, unreadable } = this.#watch;
    return stateOf({ id, end: this.#end, diagnosis, unreadable, elapsedMs, remark, agent, outputLost });
  }

  /** Output that was printed and is not in the log; null: none is known. */
  get outputLost(): OutputLost | null {
    return this.#end === null ? valueOr(this.directory.outputLost, null) : this.#end.outputLost;
  }

  /** What the run needs from a person or an agent; null: nothing, or it has ended. */
  get trouble(): 'needs-input' | 'stuck' | null {
    return this.#end === null ? this.#trouble.of(this.#watch.diagnosis) : null;
  }

  /** Why its output counts as stalled; null: it does not, or stalls are not requested. */
  get stall(): string | null {
    return this.#watch.stall;
  }

  /** Why the state of the run cannot be read and is not reported; null: it can be read, or the run has ended. */
  get unreadable(): string | null {
    return this.#end === null ? this.#watch.unreadable : null;
  }

  get warnings(): readonly string[] {
    return this.#journal.warnings;
  }

  warn(message: string): void {
    this.#journal.warn(message);
  }

  /** As of the last tick; null: the run has ended, or has not been sampled yet. */
  get sample(): TreeSample | null {
    return this.#end === null ? this.#watch.sample : null;
  }

  /** The command has ended, but another process holds its output open and may print more. */
  get isOutputHeld(): boolean {
    return this.#end?.isOutputHeld === true;
  }

  /** Bytes of output on the disk. */
  get keptBytes(): number {
    return this.log.keptBytes;
  }

  /** How long the run has printed nothing. */
  silentMs(): number {
    return this.log.silentMs() ?? this.elapsedMs;
  }

  pids(): number[] {
    return this.#watch.pids();
  }

  snapshotSoon(): void {
    this.#watch.snapshotSoon();
  }

  /** Resolves when the identity of the command is known, or the run has ended. */
  started(): Promise<void> {
    return this.#watch.started();
  }

  /** Resolves when the run has ended, or after the given time. */
  untilEnded(ms: number): Promise<void> {
    return this.#listeners.until(() => this.#end !== null, ms);
  }

  /** The run got an answer, so its known health is out of date. */
  answered(): void {
    this.#trouble.answered();
  }

  /** Calls back whenever the state of the run may have changed. Returns a function that stops this. */
  onChange(changed: () => void): () => void {
    return this.#listeners.add(changed);
  }

  /** Stops the run with everything it started; null: nothing was left to stop. */
  kill(requestId: string, graceMs: number): Promise<{ receipt: Receipt | null } | null> {
    const { id, directory } = this;
    const untilEnded = (ms: number) => this.untilEnded(ms);
    const run = { id, directory, watch: this.#watch, end: () => this.#end, untilEnded };
    return killRun(run, { requestId, graceMs });
  }

  /** Throws a Failure when nothing can be written to the run. A repeated request only gets its answer again. */
  needInput(requestId: string): RunInput {
    const { id, input } = this;
    return needInput({ id, input, hasEnded: this.#end !== null }, requestId);
  }

  /** Resolves when no work is half done. */
  async settle(): Promise<void> {
    await this.#watch.settled();
  }

  /** Detaches from the run. The run lives on. */
  close(): void {
    this.#isClosed = true;
    this.#watch.close();
    this.#end?.close();
    this.input?.forget();
  }

  #changed(): void {
    this.#trouble.diagnosed();
    if (this.#end === null) this.log.keepToCap();
    this.#listeners.notify();
  }

  async #finish(standing: Ended, ending: Ending): Promise<void> {
    const isClosed = () => this.#isClosed;
    const end = await readEnd({ run: this, standing, watch: this.#watch, isClosed });
    if (end === null) return;
    this.#end = end;
    if (end.outputLost !== null) this.#journal.warn(end.outputLost.message);
    this.input?.forget();
    // Without a shim, nothing else ends the pump.
    if (standing.shim === null) this.input?.dismiss();
    writeReport({ run: this, exit: standing.exit, ending, watch: this.#watch, journal: this.#journal });
    this.#changed();
    this.#options.ended();
  }
}
