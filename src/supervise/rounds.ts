import type { Diagnosis } from '../model/health.js';
import type { ProcessIdentity } from '../model/identity.js';
import type { Heartbeat } from '../model/run.js';
import { certainties } from '../model/verdict.js';
import type { MemberScan } from '../probe/linux/members.js';
import type { Ending } from './ending.js';
import type { OpenRun } from './open-run.js';
import { Pulse } from './pulse.js';
import type { RunRequest } from './request.js';
import type { RunOutput } from './run-output.js';
import type { Vitals } from './vitals.js';

export interface RoundsOptions {
  run: OpenRun;
  request: RunRequest;
  output: RunOutput;
  ending: Ending;
  /** Resolves when the command is known; null: it never was. */
  leader: Promise<ProcessIdentity | null>;
}

/** What happens again and again while the command runs: ticks and heartbeats, and what follows from them. */
export class Rounds {
  readonly pulse: Pulse;
  readonly #options: RoundsOptions;
  readonly #timers: NodeJS.Timeout[] = [];
  #loading: Promise<Vitals> | null = null;
  #ticking: Promise<void> | null = null;
  #bytesAtTick = 0;
  #told: Diagnosis | null = null;
  #pid = 0;
  #over = false;
  vitals: Vitals | null = null;

  constructor(options: RoundsOptions) {
    this.#options = options;
    const { settings } = options.request;
    this.pulse = new Pulse(settings);
    this.#every(settings.thresholds.sampleMs, () => this.#tick());
    this.#every(settings.heartbeatMs, () => this.#beat());
  }

  /** How it is right now. */
  read(): Heartbeat {
    const { run, output } = this.#options;
    output.look();
    return this.pulse.read({
      label: run.label,
      pid: this.#pid,
      elapsedMs: run.journal.elapsedMs,
      log: run.log,
      output,
      vitals: this.vitals,
    });
  }

  /** Who belongs to the run: what the ticks have seen counts. */
  async members(leader: ProcessIdentity): Promise<MemberScan> {
    if (this.vitals !== null) return this.vitals.scan;
    const { MemberScan } = await import('../probe/linux/members.js');
    const { id, launched } = this.#options.run;
    return new MemberScan({ runId: id, leader, keeper: launched.keeper });
  }

  /** Nothing is said from now on. */
  async stop(): Promise<void> {
    this.#over = true;
    for (const timer of this.#timers) clearInterval(timer);
    await this.#ticking;
    this.vitals?.close();
  }

  #every(ms: number, act: () => Promise<void>): void {
    if (ms > 0) this.#timers.push(setInterval(() => void act(), ms));
  }

  /** Ticks never overlap: a slow one is waited for, and the next is left out. */
  #tick(): Promise<void> {
    this.#ticking ??= this.#tickOnce().finally(() => {
      this.#ticking = null;
    });
    return this.#ticking;
  }

  async #tickOnce(): Promise<void> {
    const { leader, output } = this.#options;
    const identity = await leader;
    if (identity === null || this.#isQuiet()) return;
    this.#pid = identity.pid;
    await output.drain();
    output.look();
    this.#loading ??= this.#load(identity);
    const vitals = await this.#loading;
    const { bytes } = output;
    const printed = bytes !== this.#bytesAtTick;
    this.#bytesAtTick = bytes;
    const diagnosis = await vitals.tick(printed);
    if (!this.#isQuiet()) this.#tell(diagnosis);
  }

  async #load(leader: ProcessIdentity): Promise<Vitals> {
    const { Vitals } = await import('./vitals.js');
    const { run, request } = this.#options;
    this.vitals = new Vitals({
      runId: run.id,
      leader,
      keeper: run.launched.keeper,
      thresholds: request.settings.thresholds,
      canAnswer: request.canAnswer,
      startedMs: performance.now() - run.journal.elapsedMs,
    });
    return this.vitals;
  }

  #tell(diagnosis: Diagnosis): void {
    const { run, request, ending } = this.#options;
    const before = this.#told;
    this.#told = diagnosis;
    const { health, confidence, needsAnswer } = diagnosis;
    if (needsAnswer && before?.needsAnswer !== true) run.journal.tell({ kind: 'needs-input', diagnosis });
    const surer = health !== 'healthy' && confidence !== before?.confidence;
    if (health !== (before?.health ?? 'healthy') || surer) run.journal.tell({ kind: 'health', diagnosis });
    const { killOn } = request.settings;
    if (killOn === 'never' || health === 'healthy' || health === 'suspicious') return;
    if (certainties.indexOf(confidence) >= certainties.indexOf(killOn)) {
      ending.stop('stuck', `${diagnosis.reason} (--kill-on ${killOn})`);
    }
  }

  async #beat(): Promise<void> {
    const { run, request, output, ending } = this.#options;
    if (this.vitals === null) await this.#tick();
    if (this.#over) return;
    output.look();
    const stalled = this.pulse.beat(output, run.journal.elapsedMs);
    run.journal.tell({ kind: 'heartbeat', ...this.read() });
    if (stalled === null) return;
    run.journal.tell({ kind: 'stalled', reason: stalled });
    if (request.settings.killOnStall) ending.stop('stalled', `${stalled} (--kill-on-stall)`);
  }

  /** What a tree does while it is looked through and stopped is our doing. */
  #isQuiet(): boolean {
    return this.#over || this.#options.ending.isStopping;
  }
}
