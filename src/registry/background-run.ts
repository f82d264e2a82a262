import type { RunSettings } from '../config/run-settings.js';
import { knownValue, valueOr } from '../model/facts/reading.js';
import type { BackgroundRecord, RunStatus } from '../model/run/background.js';
import type { TreeSample } from '../model/run/health.js';
import type { OutputLost } from '../model/run/output-lost.js';
import type { Receipt } from '../model/run/receipt.js';
import type { Exit, RunLog, RunRecord } from '../model/run/run.js';
import { ageMs } from '../probe/machine.js';
import { livenessOf } from '../probe/processes.js';
import { keepReport } from '../run/end.js';
import { RunInput } from '../run/input/run-input.js';
import { Journal } from '../run/journal.js';
import { Run } from '../run/run.js';
import { commandOf, isOver } from '../run/state.js';
import { KillOrders } from '../run/stop/kill-order.js';
import type { RunDirectory } from '../store/run-directory.js';
import { ChangeListeners } from './change-listeners.js';
import { killRun, settled } from './kill-run.js';
import type { Crowd } from './monitor/crowd.js';
import { CrowdPulse } from './monitor/crowd-pulse.js';
import { needInput } from './need-input.js';
import { BackgroundLog } from './output/background-log.js';
import { endOf, factsOf, type RunFacts, statusOf, unreadableOf } from './run-state.js';
import { settingsOf } from './settings-of.js';
import { ShimFiles } from './shim-files.js';
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
  readonly #run: Run<CrowdPulse>;
  readonly #orders: KillOrders;
  readonly #shim: ShimFiles;
  readonly #listeners = new ChangeListeners();
  readonly #trouble = new Trouble();

  constructor(options: BackgroundRunOptions) {
    const { directory, record, crowd, shim } = options;
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
    const canAnswer = input !== 'none';
    this.log = new BackgroundLog({
      directory,
      log: record.logs[0] as RunLog,
      settings,
      onTerminal: input === 'pty' ? record.command : null,
      canAnswer,
      capBytes: () => options.capOf(settings.logCapBytes),
      warn: (message) => this.#journal.warn(message),
    });
    this.input = input === 'none' ? null : new RunInput(directory, input);
    this.#orders = new KillOrders(directory);
    this.#shim = new ShimFiles({ directory, boot: record.supervisor?.bootId ?? '', shim });
    const wantsStall = settings.killOnStall || notify?.events.includes('stalled') === true;
    const beatMs = wantsStall ? settings.heartbeatMs : null;
    this.#run = new Run({
      about: record,
      settings,
      canAnswer,
      directory,
      journal: this.#journal,
      output: this.log.tail,
      shim: this.#shim,
      orders: this.#orders,
      manner: {
        isHeld: () => true,
        takeLast: () => this.#takeLast(),
        endFacts: (exit) => this.#endFacts(exit),
        isPatient: true,
        isReported: () => knownValue(directory.hasReport, 'whether there is a report'),
        keep: (report) => keepReport({ directory, journal: this.#journal }, report),
      },
      // The run may have lasted for a while under another daemon.
      ageMs: (leader) => (leader === null ? null : ageMs(leader)),
      pulse: (run) => new CrowdPulse({ run, id: this.id, directory, clues: this.log.clues, crowd, beatMs }),
      changed: () => this.#changed(),
    });
    try {
      this.#begin();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  get status(): RunStatus {
    return statusOf(this.#run.state);
  }

  /** null: the run has not ended. */
  get exit(): Exit | null {
    return endOf(this.#run.state)?.exit ?? null;
  }

  /** null: the run was never seen running. */
  get pid(): number | null {
    return commandOf(this.#run.state).leader?.pid ?? null;
  }

  /** When the run ended, by the wall clock; 0: it has not ended. */
  get endedMs(): number {
    return endOf(this.#run.state)?.atMs ?? 0;
  }

  get elapsedMs(): number {
    const end = endOf(this.#run.state);
    return end === null ? this.#run.elapsedMs : Math.max(0, end.atMs - this.startedMs);
  }

  get state(): RunFacts {
    const { id, elapsedMs, remark, outputLost } = this;
    const agent = this.log.tail.agent?.facts() ?? null;
    const { state, pulse } = this.#run;
    const diagnosis = pulse.monitor?.diagnosis ?? null;
    return factsOf({ id, state, diagnosis, elapsedMs, remark, agent, outputLost });
  }

  /** Output that was printed and is not in the log; null: none is known. */
  get outputLost(): OutputLost | null {
    const end = endOf(this.#run.state);
    return end === null ? valueOr(this.directory.outputLost, null) : end.outputLost;
  }

  /** What the run needs from a person or an agent; null: nothing, or it has ended. */
  get trouble(): 'needs-input' | 'stuck' | null {
    return isOver(this.#run.state) ? null : this.#trouble.kind;
  }

  /** Why its output counts as stalled; null: it does not, or stalls are not requested. */
  get stall(): string | null {
    return this.log.clues.stall;
  }

  /** Why the state of the run cannot be read and is not reported; null: it can be read, or the run has ended. */
  get unreadable(): string | null {
    return unreadableOf(this.#run.state);
  }

  get warnings(): readonly string[] {
    return this.#journal.warnings;
  }

  warn(message: string): void {
    this.#journal.warn(message);
  }

  /** As of the last tick; null: the run has ended, or has not been sampled yet. */
  get sample(): TreeSample | null {
    const { state, pulse } = this.#run;
    return endOf(state) === null ? (pulse.monitor?.vitals?.sample ?? null) : null;
  }

  /** The command has ended, but another process holds its output open and may print more. */
  get isOutputHeld(): boolean {
    const shim = endOf(this.#run.state)?.shim ?? null;
    return shim !== null && livenessOf(shim) !== 'ended';
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
    return this.#run.pulse.pids();
  }

  snapshotSoon(): void {
    this.#run.pulse.snapshotSoon();
  }

  /** Resolves when the identity of the command is known, or the run has ended. */
  async started(): Promise<void> {
    await this.#run.tree;
  }

  /** Resolves when the run has ended, or after the given time. */
  untilEnded(ms: number): Promise<void> {
    return this.#listeners.until(() => endOf(this.#run.state) !== null, ms);
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
    const untilEnded = (ms: number) => this.untilEnded(ms);
    const killable = { id: this.id, run: this.#run, orders: this.#orders, shim: this.#shim, untilEnded };
    return killRun(killable, { requestId, graceMs });
  }

  /** Throws a Failure when nothing can be written to the run. A repeated request only gets its answer again. */
  needInput(requestId: string): RunInput {
    const { id, input } = this;
    return needInput({ id, input, hasEnded: endOf(this.#run.state) !== null }, requestId);
  }

  /** Resolves when no work is half done. */
  async settle(): Promise<void> {
    await settled(this.#run);
  }

  /** Detaches from the run. The run lives on. */
  close(): void {
    this.#run.detach();
    this.log.close();
    this.input?.forget();
  }

  /** Throws when the files of the run cannot be read. */
  #begin(): void {
    const run = this.#run;
    const order = this.#orders.read();
    if (order !== null) run.ending.outcome = order.outcome;
    run.begin();
    // Under the last daemon something may have been written that the pump does not know of.
    if (!isOver(run.state)) this.input?.ring();
    void run.tree.then((tree) => {
      if (tree !== null && order?.receipt === null) void run.kill(order);
    });
    void run.done.then(() => this.#ended());
  }

  #changed(): void {
    this.#trouble.note(this.#run.pulse.monitor?.diagnosis ?? null);
    if (!isOver(this.#run.state)) this.log.keepToCap();
    this.#listeners.notify();
  }

  #takeLast(): void {
    this.log.tail.catchUp();
    this.log.keepToCap();
  }

  #endFacts(exit: Exit) {
    const atMs = this.directory.endedMs(exit);
    return {
      atMs,
      elapsedMs: Math.max(0, atMs - this.startedMs),
      progress: this.log.clues.progress(),
      outputLost: knownValue(this.directory.outputLost, 'unlogged'),
    };
  }

  #ended(): void {
    const end = endOf(this.#run.state);
    if (end === null) return;
    this.input?.forget();
    // Without a shim, nothing else ends the pump.
    if (end.shim === null) this.input?.dismiss();
    else this.log.keepWhileHeld(() => this.isOutputHeld);
    this.#options.ended();
  }
}
