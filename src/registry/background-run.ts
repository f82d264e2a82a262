import type { RunSettings } from '../config/run-settings.js';
import type { EndedAttempt } from '../model/run/restart.js';
import type { RunEvent, RunLog } from '../model/run/run.js';
import type { PlaceSession } from '../places/session.js';
import { ageMs } from '../probe/machine.js';
import { RunHistory } from '../run/history/run-history.js';
import { RunInput } from '../run/input/run-input.js';
import { Journal } from '../run/journal.js';
import { PlacePump } from '../run/place/place-pump.js';
import { PlaceShim } from '../run/place/place-shim.js';
import { Run } from '../run/run.js';
import { isOver } from '../run/state.js';
import { KillOrders } from '../run/stop/kill-order.js';
import type { RunDirectory } from '../store/run-directory.js';
import { ChangeListeners } from './change-listeners.js';
import { mannerOf } from './end-manner.js';
import { settled } from './kill-run.js';
import type { BackgroundPulse } from './monitor/background-pulse.js';
import type { Crowd } from './monitor/crowd.js';
import { CrowdPulse } from './monitor/crowd-pulse.js';
import { KeptSamples } from './monitor/kept-samples.js';
import { KeptTrouble } from './monitor/kept-trouble.js';
import { BackgroundLog } from './output/background-log.js';
import { Pauses } from './pauses.js';
import { PlacePulse } from './place/place-pulse.js';
import { clearPlace } from './place/run-there.js';
import { RunActs } from './run-acts.js';
import { RunView } from './run-view.js';
import { settingsOf } from './settings-of.js';
import { ShimFiles } from './shim-files.js';
import type { BackgroundRunRecord, LaunchedRun } from './start/launch-run.js';

export interface BackgroundRunOptions extends LaunchedRun {
  crowd: Crowd;
  /** Where it runs; null: on this machine. */
  session: PlaceSession | null;
  /** How many bytes of a log may be kept when `wantedBytes` are wanted. */
  capOf(wantedBytes: number): number;
  /** Called once. */
  ended(): void;
  /** Called for each event of the run. */
  heard(event: RunEvent): void;
}

/** A run in the background, live or ended. */
export class BackgroundRun extends RunView {
  readonly id: string;
  readonly startedMs: number;
  readonly record: BackgroundRunRecord;
  readonly directory: RunDirectory;
  readonly settings: RunSettings;
  readonly log: BackgroundLog;
  readonly samples: KeptSamples;
  protected readonly kept: KeptTrouble;
  readonly input: RunInput | null;
  readonly #options: BackgroundRunOptions;
  readonly #journal: Journal;
  protected readonly run: Run<BackgroundPulse>;
  /** null: it runs on this machine. */
  readonly #there: PlaceShim | null;
  #isClosed = false;
  readonly #orders: KillOrders;
  readonly pauses: Pauses;
  readonly acts: RunActs;
  readonly #listeners = new ChangeListeners();

  constructor(options: BackgroundRunOptions) {
    const { directory, record, crowd, shim, session } = options;
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
      unseenMs: Math.max(0, Date.now() - this.startedMs),
      onTerminal: input === 'pty' ? record.command : null,
      canAnswer,
      capBytes: () => options.capOf(settings.logCapBytes),
      warn: (message) => this.#journal.warn(message),
    });
    this.samples = new KeptSamples(directory);
    this.kept = new KeptTrouble(directory);
    const hasEnded = () => isOver(this.run.state);
    const pump = session === null ? undefined : new PlacePump({ session, directory, hasEnded });
    this.input = input === 'none' ? null : new RunInput(directory, input, pump);
    const { startedMs } = this;
    this.#there =
      session === null ? null : new PlaceShim({ session, directory, logs: record.logs, startedMs });
    this.#orders = new KillOrders(directory);
    this.pauses = new Pauses({
      directory,
      tree: () => this.run.tree,
      hasEnded,
      changed: () => {
        this.log.tail.noteSilence(false);
        this.#changed();
      },
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
        shim:
          this.#there ??
          new ShimFiles({
            directory,
            boot: record.supervisor?.bootId ?? '',
            shim,
            known: () => crowd.identitiesOf(record.id),
          }),
        orders: this.#orders,
        manner: mannerOf(this, this.#journal),
        pauses: this.pauses,
        // The run may have lasted for a while under another daemon.
        ageMs: (leader) =>
          leader === null
            ? null
            : session === null
              ? ageMs(leader)
              : Math.max(0, Date.now() - this.startedMs),
        changed: () => this.#changed(),
      },
      (run) =>
        session === null
          ? new CrowdPulse(run, { directory, clues: this.log.clues, crowd, beatMs, kept: this.kept })
          : new PlacePulse(run, { clues: this.log.clues, beatMs, session, kept: this.kept }),
    );
    this.acts = new RunActs({
      run: this.run,
      directory,
      journal: this.#journal,
      orders: this.#orders,
      pauses: this.pauses,
      input: this.input,
      untilEnded: (ms) => this.untilEnded(ms),
    });
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

  get on(): string | null {
    return this.#options.session?.place.name ?? null;
  }

  protected get lostReason(): string | null {
    return this.#there === null ? null : PlaceShim.lostReason(this.directory);
  }

  protected get unreachableSinceMs(): number | null {
    const since = this.#there === null ? null : PlaceShim.unreachableSince(this.directory);
    return since === null ? null : Date.parse(since) || null;
  }

  /** Its place is gone for good, as a person knows: it is lost. false: that place was reached a short while ago. */
  giveUp(): boolean {
    return this.#there?.giveUp() ?? false;
  }

  protected get isAdopted(): boolean {
    return this.#options.shim === null;
  }

  protected get isInputDelivered(): boolean {
    return this.input?.isDelivered ?? true;
  }

  override get isOutputHeld(): boolean {
    return this.#there === null ? super.isOutputHeld : this.end !== null && this.#there.isHeld;
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

  /** Resolves when no work is half done. */
  async settle(): Promise<void> {
    await settled(this.run);
  }

  /** Detaches from the run. The run lives on. */
  close(): void {
    this.#isClosed = true;
    this.#there?.release();
    this.run.detach();
    this.samples.flush();
    this.log.close();
    this.input?.forget();
  }

  /** Throws when the files of the run cannot be read. */
  #begin(): void {
    const run = this.run;
    const order = this.#orders.read();
    if (order !== null) run.ending.outcome = order.outcome;
    run.begin();
    // Its notices go on with what an earlier daemon found.
    this.noteDiagnosis();
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
    this.samples.note(this.sample, this.log.tail.bytes);
    if (!isOver(this.run.state)) this.log.keepToCap();
    this.#listeners.notify();
  }

  #ended(): void {
    const { end } = this;
    if (end === null) return;
    this.samples.flush();
    this.kept.forget();
    this.input?.forget();
    this.log.end();
    // Without a shim, nothing else ends the pump.
    if (this.#there !== null) this.#leavePlace();
    else if (end.shim === null) this.input?.dismiss();
    else this.log.keepWhileHeld(() => this.isOutputHeld);
    this.#options.ended();
  }

  #leavePlace(): void {
    const { session } = this.#options;
    if (this.isOutputHeld) this.log.keepWhileHeld(() => this.isOutputHeld);
    if (session !== null) void clearPlace(session, this.directory, () => !this.#isClosed);
  }
}
