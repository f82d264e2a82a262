import { setTimeout as delay } from 'node:timers/promises';
import type { RunSettings } from '../../config/run-settings.js';
import type { ProcessIdentity } from '../../model/facts/identity.js';
import { knownValue } from '../../model/facts/reading.js';
import type { Diagnosis, TreeSample } from '../../model/run/health.js';
import type { RunReport } from '../../model/run/run.js';
import { ageMs } from '../../probe/machine.js';
import { Deadlines } from '../../run/deadlines.js';
import { noPeak } from '../../run/final-report.js';
import { reasonToStop, reportHealth } from '../../run/health/report-health.js';
import { type Tree, treeOf } from '../../run/health/tree.js';
import type { Journal } from '../../run/journal.js';
import type { Ending } from '../../run/stop/ending.js';
import type { RunDirectory } from '../../store/run-directory.js';
import { type Ended, EndMonitor } from '../end/end-monitor.js';
import { type KillOrder, readKillOrder } from '../end/kill-order.js';
import { OrderedStop } from '../end/ordered-stop.js';
import type { OutputTail } from '../output/output-tail.js';
import type { Standing } from '../standing.js';
import { followStart } from '../start/follow-start.js';
import type { Crowd } from './crowd.js';
import { StallMonitor } from './stall-monitor.js';

export interface RunMonitorOptions {
  id: string;
  directory: RunDirectory;
  settings: RunSettings;
  /** Boot id of the machine when the run was started. */
  boot: string;
  /** The shim that this daemon just started for the run; null: another daemon started it. */
  shim: number | null;
  /** Its input can be written to. */
  canAnswer: boolean;
  /** Stalls of its output are to be reported. */
  wantsStall: boolean;
  tail: OutputTail;
  journal: Journal;
  crowd: Crowd;
  /** The health of the run changed, or whether it runs. */
  changed(): void;
  ended(standing: Ended, ending: Ending): void;
}

/** In addition to the grace. */
const settleMsMax = 15_000;

type Running = Extract<Standing, { kind: 'running' }>;

/** A live run: samples it together with all others, enforces its limits, detects its end. */
export class RunMonitor {
  readonly #options: RunMonitorOptions;
  readonly #endMonitor: EndMonitor;
  readonly #stop: OrderedStop;
  readonly #stall: StallMonitor;
  readonly #tree: Promise<Tree | null>;
  #resolveTree: (running: Running | null) => void = () => {};
  #deadlines: Deadlines | null = null;
  #over = false;
  standing: Standing = { kind: 'starting' };
  diagnosis: Diagnosis | null = null;
  sample: TreeSample | null = null;
  /** Why the state of the run cannot be read; null: it can be read. */
  unreadable: string | null = null;
  peak: RunReport['peak'] = noPeak;

  constructor(options: RunMonitorOptions) {
    this.#options = options;
    const { directory, boot, settings, journal, tail } = options;
    this.#tree = this.#awaitTree();
    this.#stall = new StallMonitor(tail, settings.heartbeatMs);
    this.#stop = new OrderedStop({
      directory,
      journal,
      graceMs: settings.graceMs,
      tree: this.#tree,
      hasExited: () => this.#over,
      carriedOut: () => this.#endMonitor.check(),
    });
    this.#endMonitor = new EndMonitor({
      directory,
      boot,
      lingerMs: settings.lingerMs,
      unreadable: (reason) => this.#noteUnreadable(reason),
      ended: (standing) => this.#end(standing),
    });
  }

  /** To be called once. */
  begin(): void {
    const { directory, boot, shim } = this.#options;
    const order = knownValue(readKillOrder(directory), 'whether it is to be stopped');
    if (order !== null) this.#stop.ending.outcome = order.outcome;
    void followStart({
      directory,
      boot,
      shim,
      isOver: () => this.#over,
      seen: (standing) => {
        this.standing = standing;
        this.#noteUnreadable(standing.kind === 'unknown' ? standing.reason : null);
        if (standing.kind === 'running') this.#watch(standing, order);
        if (standing.kind === 'ended') this.#endMonitor.check();
      },
    });
  }

  /** The identity of the command; null: not known yet. */
  get leader(): ProcessIdentity | null {
    return this.standing.kind === 'running' || this.standing.kind === 'ended' ? this.standing.leader : null;
  }

  /** Time since the start, by a monotonic clock. */
  get elapsedMs(): number {
    const { leader } = this;
    return leader === null ? 0 : ageMs(leader);
  }

  /** Resolves when the command runs, or has ended. */
  async started(): Promise<void> {
    await this.#tree;
  }

  /** A caller waits for a snapshot of the run. */
  snapshotSoon(): void {
    if (!this.#over) void this.#options.crowd.snapshotNow(this.#options.id);
  }

  pids(): number[] {
    return this.#options.crowd.pidsOf(this.#options.id);
  }

  /** Why its output counts as stalled; null: it does not, or stalls are not requested. */
  get stall(): string | null {
    return this.#stall.reason;
  }

  /** Stops the tree. Resolves when it is done, or when there was nothing left to stop. */
  kill(order: KillOrder): Promise<void> {
    return this.#stop.kill(order);
  }

  /** Resolves when no stop is in progress, or after the longest time that a stop of readable processes takes. */
  settled(): Promise<void> {
    const late = delay(this.#options.settings.graceMs + settleMsMax, undefined, { ref: false });
    return Promise.race([this.#stop.ending.settled, late]);
  }

  /** Detaches from the run. The run lives on. */
  close(): void {
    this.#over = true;
    this.#endMonitor.close();
    this.#deadlines?.clear();
    this.#resolveTree(null);
    this.#options.crowd.remove(this.#options.id);
  }

  async #awaitTree(): Promise<Tree | null> {
    const running = await new Promise<Running | null>((resolve) => {
      this.#resolveTree = resolve;
    });
    if (running === null) return null;
    const { leader, shim } = running;
    return treeOf({ runId: this.#options.id, leader, shim: shim?.pid ?? null });
  }

  #watch(running: Running, order: KillOrder | null): void {
    const { id, directory, settings, canAnswer, tail, crowd } = this.#options;
    this.#resolveTree(running);
    const startedMs = performance.now() - this.elapsedMs;
    crowd.add({
      id,
      leader: running.leader,
      shim: running.shim?.pid ?? null,
      directory,
      thresholds: settings.thresholds,
      canAnswer,
      startedMs,
      printed: () => tail.catchUp(),
      toolsForMs: () => tail.toolsForMs,
      diagnosed: (diagnosis, sample) => this.#take(diagnosis, sample),
    });
    this.peak = crowd.vitalsOf(id)?.peak ?? noPeak;
    const { timeoutMs, idleTimeoutMs } = settings;
    this.#deadlines = new Deadlines({
      timeoutMs,
      idleTimeoutMs,
      // The run may have lasted for a while under another daemon.
      elapsedMs: this.elapsedMs,
      lastOutputMs: () => {
        tail.catchUp();
        return tail.lastOutputMs ?? startedMs;
      },
      reached: (outcome, reason) => this.#stop.stop(outcome, reason),
    });
    this.#options.changed();
    if (order !== null && order.receipt === null) void this.kill(order);
  }

  #noteUnreadable(reason: string | null): void {
    const isNews = reason !== this.unreadable;
    this.unreadable = reason;
    if (isNews && !this.#over) this.#options.changed();
  }

  #take(diagnosis: Diagnosis, sample: TreeSample): void {
    const { id, journal, settings, changed, tail, canAnswer, crowd } = this.#options;
    const { leaderState } = sample;
    // What is left after the end does not count as its health.
    if (leaderState === null || leaderState === 'Z') {
      this.#endMonitor.check();
      return;
    }
    const before = this.diagnosis;
    const refined = tail.refine(diagnosis, canAnswer, {
      tools: crowd.vitalsOf(id)?.tools ?? null,
      pids: () => this.pids(),
    });
    this.diagnosis = refined;
    this.sample = sample;
    if (this.#over) return;
    reportHealth(journal, before, refined);
    if (settings.killStuck === 'part') this.#stop.ending.stopParts(refined.findings);
    const reason = reasonToStop(refined, settings);
    if (reason !== null) this.#stop.stop('stuck', reason);
    if (tail.wantsSnapshot(crowd.vitalsOf(id)?.snapshotMs ?? null)) this.snapshotSoon();
    if (this.#options.wantsStall) this.#checkStall();
    changed();
  }

  #checkStall(): void {
    const stalled = this.#stall.check(this.elapsedMs);
    if (stalled === null || !this.#options.settings.killOnStall) return;
    this.#stop.stop('stalled', `${stalled} (--kill-on-stall)`);
  }

  #end(standing: Ended): void {
    this.standing = standing;
    this.#stop.recallOutcome();
    this.close();
    const { ending } = this.#stop;
    // The command may be the first of its tree to end.
    void ending.settled.then(() => this.#options.ended(standing, ending));
  }
}
