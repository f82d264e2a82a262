import type { Diagnosis } from '../model/health.js';
import type { ProcessIdentity } from '../model/identity.js';
import type { Exit, Heartbeat, RunReport, Stream } from '../model/run.js';
import { certainties } from '../model/verdict.js';
import type { MemberScan } from '../probe/linux/members.js';
import { awaitDrained, awaitExit, unknownExit } from './await-end.js';
import { Deadlines } from './deadlines.js';
import { Ending } from './ending.js';
import { finalReport } from './final-report.js';
import { lookBehind } from './look-behind.js';
import { type OpenRun, openRun } from './open-run.js';
import { Pulse, type PulseSubject } from './pulse.js';
import type { RunRequest } from './request.js';
import { RunOutput } from './run-output.js';
import type { Vitals } from './vitals.js';

/** One command and the one loop around it. */
export class Supervisor {
  readonly run: OpenRun;
  readonly done: Promise<RunReport>;
  readonly #request: RunRequest;
  readonly #leader: Promise<ProcessIdentity | null>;
  readonly #output: RunOutput;
  readonly #pulse: Pulse;
  readonly #ending: Ending;
  readonly #deadlines: Deadlines;
  readonly #timers: NodeJS.Timeout[] = [];
  #pid = 0;
  #exited = false;
  #vitals: Vitals | null = null;
  #loadingVitals: Promise<Vitals> | null = null;
  #ticking: Promise<void> | null = null;
  #bytesAtTick = 0;
  #told: Diagnosis | null = null;

  /** Starts the command. Throws a Failure when it cannot be executed. */
  constructor(request: RunRequest) {
    this.#request = request;
    const { settings } = request;
    this.run = openRun(request);
    const { launched, directory, logs, journal } = this.run;
    this.#output = new RunOutput({
      directory,
      logs,
      launched,
      progress: settings.progress,
      take: request.output,
      broken: (stream) => void this.#breakPipe(stream),
    });
    this.#pulse = new Pulse(settings);
    this.#leader = this.#meetLeader();
    this.#ending = new Ending({
      journal,
      graceMs: settings.graceMs,
      directory: directory?.path ?? null,
      leader: this.#leader,
      members: (leader) => this.#members(leader),
      hasExited: () => this.#exited,
    });
    this.#deadlines = new Deadlines({
      timeoutMs: settings.timeoutMs,
      idleTimeoutMs: settings.idleTimeoutMs,
      lastOutputMs: () => this.#output.lastMs,
      reached: (outcome, reason) => this.#ending.stop(outcome, reason),
    });
    this.#every(settings.thresholds.sampleMs, () => this.#tick());
    this.#every(settings.heartbeatMs, () => this.#beat());
    this.done = this.#toTheEnd();
  }

  /** B11. */
  interrupt(signal: NodeJS.Signals): void {
    this.#ending.interrupt(signal);
  }

  /** Ctrl-Z and fg: the tree does what we do. */
  pass(signal: NodeJS.Signals): Promise<void> {
    return this.#ending.pass(signal, 'passed on');
  }

  /** How it is right now. */
  pulse(): Heartbeat {
    this.#output.look();
    return this.#pulse.read(this.#subject());
  }

  /** What can be said if we must go before the command does. */
  interimReport(): RunReport {
    return this.#report(unknownExit, []);
  }

  async #meetLeader(): Promise<ProcessIdentity | null> {
    const { launched, id, label, command, cwd, directory, logs, journal } = this.run;
    const identity = await launched.identity;
    const pid = identity?.pid ?? null;
    this.#pid = pid ?? 0;
    this.#keepQuietly(() => this.run.record(identity));
    const log = logs[0] === undefined ? null : (directory?.file(logs[0].file) ?? null);
    journal.tell({ kind: 'started', id, label, command, cwd, pid, log });
    return identity;
  }

  async #toTheEnd(): Promise<RunReport> {
    try {
      const { launched, directory, journal } = this.run;
      const exit = await awaitExit({ launched, directory, leader: this.#leader, ending: this.#ending });
      this.#exited = true;
      this.#deadlines.clear();
      const { lingerMs, leftovers } = this.#request.settings;
      await this.#ending.settled;
      // A command that we stopped, or that was interrupted, is to leave nothing behind: B11.
      const stopsRest = leftovers === 'kill' || this.#ending.outcome !== 'exited';
      if (!stopsRest) await awaitDrained(launched, this.#output, lingerMs);
      const leader = await this.#leader;
      const leftBehind =
        leader === null
          ? []
          : await lookBehind(await this.#members(leader), { stopsRest, ending: this.#ending, journal });
      if (stopsRest) await awaitDrained(launched, this.#output, lingerMs);
      this.#output.look();
      this.#warnIfUnlogged();
      await this.#ticking;
      return this.#report(exit, leftBehind);
    } finally {
      this.#close();
    }
  }

  async #members(leader: ProcessIdentity): Promise<MemberScan> {
    if (this.#vitals !== null) return this.#vitals.scan;
    const { MemberScan } = await import('../probe/linux/members.js');
    return new MemberScan({ runId: this.run.id, leader, keeper: this.run.launched.keeper });
  }

  #every(ms: number, act: () => Promise<void>): void {
    if (ms === 0) return;
    const timer = setInterval(() => void act(), ms);
    this.#timers.push(timer);
  }

  /** Ticks never overlap: a slow one is waited for, and the next is left out. */
  #tick(): Promise<void> {
    this.#ticking ??= this.#tickOnce().finally(() => {
      this.#ticking = null;
    });
    return this.#ticking;
  }

  async #tickOnce(): Promise<void> {
    const leader = await this.#leader;
    // What a tree does while it is looked through and stopped is our doing.
    if (leader === null || this.#exited || this.#ending.isStopping) return;
    await this.#output.drain();
    this.#output.look();
    this.#warnIfUnlogged();
    this.#loadingVitals ??= this.#loadVitals(leader);
    const vitals = await this.#loadingVitals;
    const { bytes } = this.#output;
    const printed = bytes !== this.#bytesAtTick;
    this.#bytesAtTick = bytes;
    const diagnosis = await vitals.tick(printed);
    if (!this.#exited && !this.#ending.isStopping) this.#tell(diagnosis);
  }

  async #loadVitals(leader: ProcessIdentity): Promise<Vitals> {
    const { Vitals } = await import('./vitals.js');
    const { settings, canAnswer } = this.#request;
    const { id, launched, journal } = this.run;
    this.#vitals = new Vitals({
      runId: id,
      leader,
      keeper: launched.keeper,
      thresholds: settings.thresholds,
      canAnswer,
      startedMs: performance.now() - journal.elapsedMs,
    });
    return this.#vitals;
  }

  #tell(diagnosis: Diagnosis): void {
    const before = this.#told;
    this.#told = diagnosis;
    const { journal } = this.run;
    if (diagnosis.needsAnswer && before?.needsAnswer !== true)
      journal.tell({ kind: 'needs-input', diagnosis });
    const { health, confidence } = diagnosis;
    const surer = health !== 'healthy' && confidence !== before?.confidence;
    if (health !== (before?.health ?? 'healthy') || surer) journal.tell({ kind: 'health', diagnosis });
    const { killOn } = this.#request.settings;
    if (killOn === 'never' || health === 'healthy' || health === 'suspicious') return;
    if (certainties.indexOf(confidence) >= certainties.indexOf(killOn)) {
      this.#ending.stop('stuck', `${diagnosis.reason} (--kill-on ${killOn})`);
    }
  }

  async #beat(): Promise<void> {
    await this.#leader;
    if (this.#vitals === null) await this.#tick();
    if (this.#exited) return;
    const { journal } = this.run;
    const stalled = this.#pulse.beat(this.#subject());
    journal.tell({ kind: 'heartbeat', ...this.pulse() });
    if (stalled === null) return;
    journal.tell({ kind: 'stalled', reason: stalled });
    if (this.#request.settings.killOnStall) this.#ending.stop('stalled', `${stalled} (--kill-on-stall)`);
  }

  #subject(): PulseSubject {
    const { label, directory, logs, journal } = this.run;
    const log = logs[0] === undefined ? null : (directory?.file(logs[0].file) ?? null);
    return {
      label,
      pid: this.#pid,
      elapsedMs: journal.elapsedMs,
      log,
      output: this.#output,
      vitals: this.#vitals,
    };
  }

  #report(exit: Exit, leftBehind: RunReport['leftBehind']): RunReport {
    return finalReport({
      run: this.run,
      ending: this.#ending,
      output: this.#output,
      pulse: this.#pulse,
      vitals: this.#vitals,
      exit,
      leftBehind,
    });
  }

  #warnIfUnlogged(): void {
    if (this.run.directory === null || this.#output.unloggedBytes === 0) return;
    this.run.journal.warn(
      'the log cannot be written any more (is the disk full?): output is passed on, but not kept, and a little of it may be lost',
    );
  }

  /** Whoever read our output is gone: the command shall meet a broken pipe itself, as without us. */
  async #breakPipe(stream: Stream): Promise<void> {
    const { stopDraining } = await import('./stop-draining.js');
    stopDraining(this.run.launched.keeper, stream);
  }

  #keepQuietly(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.run.journal.warn(`cannot write to the run's directory: ${(error as Error).message}`);
    }
  }

  #close(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#deadlines.clear();
    this.#vitals?.close();
    this.#output.close();
    this.run.launched.release();
  }
}
