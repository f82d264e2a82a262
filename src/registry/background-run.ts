import { setTimeout as delay } from 'node:timers/promises';
import type { RunSettings } from '../config/run-settings.js';
import { knownValue, valueOr } from '../model/facts/reading.js';
import { Failure } from '../model/failure.js';
import type { Receipt } from '../model/run/receipt.js';
import type { EndedAttempt } from '../model/run/restart.js';
import type { RunEvent, RunLog } from '../model/run/run.js';
import { ageMs } from '../probe/machine.js';
import { keepReport } from '../run/end.js';
import type { Tree } from '../run/health/tree.js';
import { RunHistory } from '../run/history/run-history.js';
import { RunInput } from '../run/input/run-input.js';
import { Journal } from '../run/journal.js';
import type { EndManner } from '../run/parts.js';
import { Run } from '../run/run.js';
import { isOver } from '../run/state.js';
import { KillOrders } from '../run/stop/kill-order.js';
import type { RunDirectory } from '../store/run-directory.js';
import { ChangeListeners } from './change-listeners.js';
import { killRun, settled } from './kill-run.js';
import type { Crowd } from './monitor/crowd.js';
import { CrowdPulse } from './monitor/crowd-pulse.js';
import { BackgroundLog } from './output/background-log.js';
import { Pauses } from './pauses.js';
import { RunView } from './run-view.js';
import { settingsOf } from './settings-of.js';
import { ShimFiles } from './shim-files.js';
import { lastSignal, type Signalled, signalRun } from './signal-run.js';
import type { BackgroundRunRecord, LaunchedRun } from './start/launch-run.js';

export interface BackgroundRunOptions extends LaunchedRun {
  crowd: Crowd;
  /** How many bytes of a log may be kept when `wantedBytes` are wanted. */
  capOf(wantedBytes: number): number;
  /** Called once. */
  ended(): void;
  /** Called for each event of the run. */
  heard(event: RunEvent): void;
}

const replacedName = 'replaced.json';
/** How long a signal waits for a run that is being started. */
const startMsMax = 5000;

/** A run in the background, live or ended. */
export class BackgroundRun extends RunView {
  readonly id: string;
  readonly startedMs: number;
  readonly record: BackgroundRunRecord;
  readonly directory: RunDirectory;
  readonly settings: RunSettings;
  readonly log: BackgroundLog;
  readonly input: RunInput | null;
  readonly #options: BackgroundRunOptions;
  readonly #journal: Journal;
  protected readonly run: Run<CrowdPulse>;
  readonly #orders: KillOrders;
  readonly pauses: Pauses;
  readonly #listeners = new ChangeListeners();

  constructor(options: BackgroundRunOptions) {
    const { directory, record, crowd, shim } = options;
    super();
    this.#options = options;
    this.id = record.id;
    this.record = record;
    this.startedMs = Date.parse(record.startedAt);
    this.directory = directory;
    const { settings, warnings } = settingsOf(record.background);
    this.settings = settings;
    this.#journal = new Journal(directory, options.heard);
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
    this.pauses = new Pauses({
      directory,
      tree: () => this.run.tree,
      hasEnded: () => isOver(this.run.state),
      changed: () => this.#changed(),
    });
    const wantsStall = settings.killOnStall || notify?.events.includes('stalled') === true;
    const beatMs = wantsStall ? settings.heartbeatMs : null;
    this.run = new Run(
      {
        about: record,
        settings,
        canAnswer,
        directory,
        logs: record.logs,
        history: new RunHistory(() => directory.home, record, settings),
        journal: this.#journal,
        output: this.log.tail,
        shim: new ShimFiles({ directory, boot: record.supervisor?.bootId ?? '', shim }),
        orders: this.#orders,
        manner: mannerOf(this, this.#journal),
        pauses: this.pauses,
        // The run may have lasted for a while under another daemon.
        ageMs: (leader) => (leader === null ? null : ageMs(leader)),
        changed: () => this.#changed(),
      },
      (run) => new CrowdPulse(run, { directory, clues: this.log.clues, crowd, beatMs }),
    );
    try {
      this.#begin();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** How it ended, for the policy that may start it again; null: it has not ended. */
  get attemptEnd(): EndedAttempt | null {
    const { end } = this;
    return end && { outcome: this.run.ending.outcome, exit: end.exit, livedMs: this.elapsedMs };
  }

  get warnings(): readonly string[] {
    return this.#journal.warnings;
  }

  warn(message: string): void {
    this.#journal.warn(message);
  }

  pids(): number[] {
    return this.run.pulse.pids();
  }

  snapshotSoon(): void {
    this.run.pulse.snapshotSoon();
  }

  /** Resolves when the identity of the command is known, or the run has ended. */
  async started(): Promise<void> {
    await this.run.tree;
  }

  /** Resolves when the run has ended, or after the given time. */
  untilEnded(ms: number): Promise<void> {
    return this.#listeners.until(() => this.end !== null, ms);
  }

  /** Calls back whenever the state of the run may have changed. Returns a function that stops this. */
  onChange(changed: () => void): () => void {
    return this.#listeners.add(changed);
  }

  /** Stops the run with everything it started; null: nothing was left to stop. */
  kill(requestId: string, graceMs: number): Promise<{ receipt: Receipt | null } | null> {
    const untilEnded = (ms: number) => this.untilEnded(ms);
    return killRun(this.run, { orders: this.#orders, requestId, graceMs, untilEnded });
  }

  /** The request replaces this run by another one. A repeated request must not replace that one as well. */
  noteReplaced(requestId: string): void {
    this.directory.writeWhole(replacedName, requestId);
  }

  /** Pauses or resumes the whole tree. false: it was so already. */
  async setPaused(paused: boolean, requestId: string): Promise<boolean> {
    await this.#needTree();
    const news = await this.pauses.set(paused, requestId);
    if (news) {
      const signal = paused ? 'SIGSTOP' : 'SIGCONT';
      this.#journal.report({
        kind: 'signal',
        signal,
        reason: `a ${paused ? 'pause' : 'resume'} was requested`,
      });
    }
    return news;
  }

  /** Sends a signal to the processes that it is meant for. */
  async signal(signal: NodeJS.Signals, requestId: string): Promise<Signalled> {
    const tree = await this.#needTree();
    const signalled = signalRun(this.directory, tree, { signal, requestId });
    this.#journal.report({ kind: 'signal', signal, reason: 'it was requested' });
    return signalled;
  }

  async #needTree(): Promise<Tree> {
    const tree = await Promise.race([this.run.tree, delay(startMsMax, null, { ref: false })]);
    if (tree !== null && !isOver(this.run.state)) return tree;
    if (isOver(this.run.state)) {
      throw new Failure('run-ended', `${this.id} has ended`, `see its output: unstuck log ${this.id}`);
    }
    throw new Failure(
      'cannot-read',
      `it cannot be read how far ${this.id} has come`,
      'try again in a moment',
    );
  }

  /** Whether a request has been carried out on this run, or is being so. */
  knows(requestId: string): boolean {
    return (
      this.#orders.read()?.requestId === requestId ||
      this.input?.knows(requestId) === true ||
      this.pauses.knows(requestId) ||
      lastSignal(this.directory)?.requestId === requestId ||
      valueOr(this.directory.readJson(replacedName), null) === requestId
    );
  }

  /** Throws a Failure when nothing can be written to the run. A repeated request only gets its answer again. */
  needInput(requestId: string): RunInput {
    const { id, input } = this;
    if (input === null) {
      const hint = 'start it with --stdin, or with --pty when it needs a terminal';
      throw new Failure('input-closed', `${id} was started without an input`, hint);
    }
    if (this.end !== null && !input.knows(requestId)) {
      throw new Failure('run-ended', `${id} has ended`, `see its output: unstuck log ${id}`);
    }
    return input;
  }

  /** Resolves when no work is half done. */
  async settle(): Promise<void> {
    await settled(this.run);
  }

  /** Detaches from the run. The run lives on. */
  close(): void {
    this.run.detach();
    this.log.close();
    this.input?.forget();
  }

  /** Throws when the files of the run cannot be read. */
  #begin(): void {
    const run = this.run;
    const order = this.#orders.read();
    if (order !== null) run.ending.outcome = order.outcome;
    run.begin();
    // Under the last daemon something may have been written that the pump does not know of.
    if (!isOver(run.state)) this.input?.ring();
    this.pauses.adopt();
    void run.tree.then((tree) => {
      if (tree !== null && order?.receipt === null) void run.kill(order);
    });
    void run.done.then(() => this.#ended());
  }

  #changed(): void {
    this.noteDiagnosis();
    if (!isOver(this.run.state)) this.log.keepToCap();
    this.#listeners.notify();
  }

  #ended(): void {
    const { end } = this;
    if (end === null) return;
    this.input?.forget();
    // Without a shim, nothing else ends the pump.
    if (end.shim === null) this.input?.dismiss();
    else this.log.keepWhileHeld(() => this.isOutputHeld);
    this.#options.ended();
  }
}

/** The end of a run in the background. The daemon may wait as long as it takes, and another one may have been first. */
function mannerOf(
  { directory, log, startedMs }: Pick<BackgroundRun, 'directory' | 'log' | 'startedMs'>,
  journal: Journal,
): EndManner {
  return {
    isHeld: () => true,
    takeLast() {
      log.tail.catchUp();
      log.keepToCap();
    },
    endFacts(exit) {
      const atMs = directory.endedMs(exit);
      const outputLost = knownValue(directory.outputLost, 'unlogged');
      const elapsedMs = Math.max(0, atMs - startedMs);
      return { atMs, elapsedMs, progress: log.clues.progress(), outputLost };
    },
    isPatient: true,
    passesOn: false,
    isReported: () => knownValue(directory.hasReport, 'whether there is a report'),
    keep: (report) => keepReport({ directory, journal }, report),
  };
}
