import type { ProcessIdentity } from '../model/facts/identity.js';
import type { MonitorEvent, ProcessMonitor } from '../model/monitor.js';
import {
  type Diagnosis,
  metricsOf,
  type SignOfLife,
  type Thresholds,
  type TreeSample,
} from '../model/run/health.js';
import type { Expected } from '../model/run/norms.js';
import type { HealthChange } from '../model/run/run.js';
import { MemberScan } from '../probe/members.js';
import type { AskLevel } from '../probe/stacks.js';
import { isWorsening, reportHealth, stuckPartsOf } from '../run/health/report-health.js';
import { TreeSampler } from '../run/health/tree-sampler.js';
import { Vitals } from '../run/health/vitals.js';
import { noteHealth, safeListener } from '../run/journal.js';
import type { PlaceSampler } from '../run/place/place-sampler.js';
import { isThere } from './subject.js';

export interface ProcessMonitorOptions {
  leader: ProcessIdentity;
  label: string;
  command: string;
  thresholds: Thresholds;
  expected: Expected;
  /** 0: none. */
  heartbeatMs: number;
  stacks: 'none' | AskLevel;
  /** A question of the process can be answered. */
  canAnswer: boolean;
  /** Whether the process printed since the last call; null: its output cannot be seen, and any I/O counts. */
  hasPrinted: (() => boolean) | null;
  /** The process is of another place, and this is its tree; its pid means nothing here. */
  place?: PlaceSampler;
  onEvent: (event: MonitorEvent) => void;
}

type News<Event = MonitorEvent> = Event extends MonitorEvent ? Omit<Event, 'at'> : never;

/** The end of a process is noticed within this time. */
const aliveEveryMs = 1000;

/** The ticks of a process that another program started: sample, snapshot, judgement, report. No signal is sent. */
export class TreeMonitor implements ProcessMonitor {
  readonly done: Promise<'ended' | 'stopped'>;
  readonly history: HealthChange[] = [];
  diagnosis: Diagnosis | null = null;
  readonly #options: ProcessMonitorOptions;
  readonly #vitals: Vitals;
  readonly #listen: (event: MonitorEvent) => void;
  readonly #startedMs = performance.now();
  readonly #timers: NodeJS.Timeout[];
  #settle: (how: 'ended' | 'stopped') => void = () => {};
  #ticking: Promise<void> | null = null;
  #hasEnded = false;
  #isActive = false;

  constructor(options: ProcessMonitorOptions) {
    this.#options = options;
    const { leader, label, command, thresholds, expected, canAnswer, stacks, hasPrinted, heartbeatMs } =
      options;
    const { place } = options;
    const sign: SignOfLife = hasPrinted === null ? 'io' : 'output';
    this.#listen = safeListener(options.onEvent, 'the monitor');
    this.done = new Promise((resolve) => {
      this.#settle = resolve;
    });
    this.#vitals = new Vitals({
      leader,
      source: place ?? new TreeSampler(new MemberScan({ runId: null, leader, shim: null })),
      ...(place && { admit: place.admit }),
      thresholds,
      canAnswer,
      sign,
      norms: () => ({ expected, usual: null }),
      readsStacks: stacks !== 'none' && place === undefined,
      startedMs: this.#startedMs,
    });
    this.#timers = [setInterval(() => void this.#tick(), thresholds.sampleMs)];
    if (place === undefined)
      this.#timers.push(setInterval(() => this.check(), Math.min(aliveEveryMs, thresholds.sampleMs)));
    if (heartbeatMs > 0) this.#timers.push(setInterval(() => this.#beat(), heartbeatMs));
    this.#report({ kind: 'started', pid: leader.pid, label, command });
    // A first sample to compare with. It may read every process of the machine.
    if (place === undefined) this.#timers.push(setTimeout(() => this.#hasEnded || this.#vitals.peek()));
  }

  get pid(): number {
    return this.#options.leader.pid;
  }

  get label(): string {
    return this.#options.label;
  }

  activity(): void {
    this.#isActive = true;
  }

  stop(): void {
    this.#end('stopped');
  }

  /** The process may have ended. */
  check(): void {
    const { leader, place } = this.#options;
    if (this.#hasEnded || (place === undefined ? isThere(leader) : !place.hasEnded)) return;
    const { health = null } = this.diagnosis ?? {};
    this.#report({ kind: 'ended', monitoredMs: this.#monitoredMs, health });
    this.#end('ended');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop();
    await this.#ticking;
  }

  get #monitoredMs(): number {
    return Math.round(performance.now() - this.#startedMs);
  }

  #end(how: 'ended' | 'stopped'): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    for (const timer of this.#timers) clearInterval(timer);
    void Promise.resolve(this.#ticking).then(() => this.#vitals.close());
    this.#settle(how);
  }

  #report(news: News): void {
    if (!this.#hasEnded) this.#listen({ at: new Date().toISOString(), ...news } as MonitorEvent);
  }

  /** Ticks never overlap. While a slow tick goes on, the next is skipped. */
  #tick(): Promise<void> {
    this.#ticking ??= this.#tickOnce().finally(() => {
      this.#ticking = null;
    });
    return this.#ticking;
  }

  async #tickOnce(): Promise<void> {
    const { stacks, place } = this.#options;
    if (place !== undefined && !(await place.fetch())) return;
    if (place?.hasEnded) return this.check();
    let diagnosis = await this.#vitals.tick((sample) => this.#showsLife(sample));
    const isWorse = isWorsening(this.diagnosis, diagnosis);
    // A worse health is reported with an explanation.
    if (isWorse && diagnosis.verdict === null) diagnosis = await this.#vitals.tick(() => false, true);
    if (isWorse && stacks !== 'none' && place === undefined)
      diagnosis = await this.#vitals.explain(diagnosis, stacks);
    this.check();
    if (this.#hasEnded) return;
    const before = this.diagnosis;
    this.diagnosis = diagnosis;
    noteHealth(this.history, this.#monitoredMs, diagnosis);
    reportHealth({ report: (news) => this.#report(news) }, before, diagnosis);
  }

  #showsLife({ ioBytes, cpuPercent }: TreeSample): boolean {
    const { hasPrinted } = this.#options;
    const wasActive = this.#isActive;
    this.#isActive = false;
    // Where I/O cannot be read, CPU time is all there is to see.
    const moves = hasPrinted === null ? (ioBytes ?? cpuPercent) > 0 : hasPrinted();
    return wasActive || moves;
  }

  #beat(): void {
    const { label, pid, diagnosis } = this;
    const { sample } = this.#vitals;
    if (sample === null || diagnosis === null) return;
    this.#report({
      kind: 'heartbeat',
      pid,
      label,
      monitoredMs: this.#monitoredMs,
      programs: this.#vitals.programs(),
      cpuPercent: sample.cpuPercent,
      residentBytes: sample.residentBytes,
      metrics: metricsOf(diagnosis.numbers),
      health: diagnosis.health,
      reason: diagnosis.reason,
      ...stuckPartsOf(diagnosis),
    });
  }
}
