import { setTimeout as delay } from 'node:timers/promises';
import type { RunSettings } from '../../config/run-settings.js';
import { isAbsent } from '../../model/absence.js';
import type { Diagnosis, TreeSample } from '../../model/health.js';
import type { ProcessIdentity } from '../../model/identity.js';
import type { Outcome, RunReport } from '../../model/run.js';
import { ageMs } from '../../probe/linux/age.js';
import { readRow } from '../../probe/linux/process-row.js';
import type { RunDirectory } from '../../store/run-directory.js';
import { Deadlines } from '../deadlines.js';
import { Ending } from '../ending.js';
import { noPeak } from '../final-report.js';
import type { Journal } from '../journal.js';
import { reasonToStop, tellHealth } from '../tell-health.js';
import { type Tree, treeOf } from '../tree.js';
import type { Crowd } from './crowd.js';
import { type Ended, EndWatch } from './end-watch.js';
import {
  graceLeftMs,
  type KillOrder,
  newKillOrder,
  noteAsked,
  readKillOrder,
  writeKillOrder,
} from './kill-order.js';
import type { OutputTail } from './output-tail.js';
import { type Standing, standingOf } from './standing.js';

export interface RunWatchOptions {
  id: string;
  directory: RunDirectory;
  settings: RunSettings;
  /** Of the machine when the run was started. */
  boot: string;
  /** The shim that was started for it just now; null: by another daemon. */
  keeper: number | null;
  /** Somebody may write to its input. */
  canAnswer: boolean;
  /** Somebody wants to know when its output stalls. */
  wantsStall: boolean;
  tail: OutputTail;
  journal: Journal;
  crowd: Crowd;
  /** Its health, or whether it runs, is another. */
  changed(): void;
  ended(standing: Ended, ending: Ending): void;
}

type Running = Extract<Standing, { kind: 'running' }>;

const startingEveryMs = [1, 2, 2, 5, 5, 10, 10, 20, 50, 100, 200];
const checkEveryMs = 1000;
/** Of about a second each. */
const roundsMax = startingEveryMs.length + 10;

/** A run as long as it lives: looks at it with all others, keeps its limits, notices its end. */
export class RunWatch {
  readonly #options: RunWatchOptions;
  readonly #endWatch: EndWatch;
  readonly #ending: Ending;
  readonly #tree: Promise<Tree | null>;
  #tellTree: (running: Running | null) => void = () => {};
  #deadlines: Deadlines | null = null;
  #beatMs = 0;
  #stalledAt = 0;
  #over = false;
  /** What is being carried out; null: nobody wants it stopped. */
  #order: KillOrder | null = null;
  standing: Standing = { kind: 'starting' };
  diagnosis: Diagnosis | null = null;
  stall: string | null = null;
  sample: TreeSample | null = null;
  peak: RunReport['peak'] = noPeak;

  constructor(options: RunWatchOptions) {
    this.#options = options;
    const { directory, boot, settings, journal } = options;
    this.#tree = this.#awaitTree();
    this.#ending = new Ending({
      journal,
      graceMs: settings.graceMs,
      directory: directory.path,
      tree: this.#tree,
      hasExited: () => this.#over,
      signalled: () => {
        if (this.#order !== null) this.#order = noteAsked(directory, this.#order);
      },
    });
    this.#endWatch = new EndWatch({
      directory,
      boot,
      lingerMs: settings.lingerMs,
      ended: (standing) => this.#end(standing),
    });
  }

  /** To be called once. */
  begin(): void {
    void this.#begin(readKillOrder(this.#options.directory));
  }

  /** Who it is; null: it is not known yet. */
  get leader(): ProcessIdentity | null {
    return this.standing.kind === 'running' || this.standing.kind === 'ended' ? this.standing.leader : null;
  }

  /** Time since it started, by a clock that nobody can set. */
  get elapsedMs(): number {
    const { leader } = this;
    return leader === null ? 0 : ageMs(leader);
  }

  /** Resolves when the command runs, or has ended. */
  async started(): Promise<void> {
    await this.#tree;
  }

  /** A look at it is wanted by somebody who waits. */
  lookSoon(): void {
    if (!this.#over) void this.#options.crowd.lookNow(this.#options.id);
  }

  pids(): number[] {
    return this.#options.crowd.pidsOf(this.#options.id);
  }

  /** Stops the tree. Resolves when that is done, or was in vain. */
  async kill(order: KillOrder): Promise<void> {
    await this.#carryOut(order, () =>
      this.#ending.kill(order.outcome, 'somebody asked for it', graceLeftMs(order)),
    );
  }

  /** Resolves when nothing is being stopped (any more). */
  settled(): Promise<void> {
    return this.#ending.settled;
  }

  /** Lets go of it: it lives on. */
  close(): void {
    this.#over = true;
    this.#endWatch.close();
    this.#deadlines?.clear();
    this.#tellTree(null);
    this.#options.crowd.remove(this.#options.id);
  }

  async #awaitTree(): Promise<Tree | null> {
    const running = await new Promise<Running | null>((resolve) => {
      this.#tellTree = resolve;
    });
    if (running === null) return null;
    const { leader, keeper } = running;
    return treeOf({ runId: this.#options.id, leader, keeper: keeper?.pid ?? null });
  }

  /** From wherever it stands, until it runs or has ended. */
  async #begin(order: KillOrder | null): Promise<void> {
    const { directory, boot, keeper } = this.#options;
    for (let round = 0; !this.#over; round++) {
      this.standing = standingOf(directory, boot);
      if (this.standing.kind === 'running') return this.#watch(this.standing, order);
      if (this.standing.kind === 'ended') this.#endWatch.check();
      // A shim that could not even take it: nobody is to take it any more.
      const isGone = keeper !== null && isAbsent(readRow(keeper));
      if (this.standing.kind === 'unclaimed' && (isGone || round > roundsMax)) directory.claim();
      await delay(startingEveryMs[round] ?? checkEveryMs, undefined, { ref: false });
    }
  }

  #watch(running: Running, order: KillOrder | null): void {
    const { id, directory, settings, canAnswer, tail, crowd } = this.#options;
    this.#tellTree(running);
    const startedMs = performance.now() - this.elapsedMs;
    crowd.add({
      id,
      leader: running.leader,
      keeper: running.keeper?.pid ?? null,
      directory,
      thresholds: settings.thresholds,
      canAnswer,
      startedMs,
      printed: () => tail.look(),
      told: (diagnosis, sample) => this.#told(diagnosis, sample),
    });
    this.peak = crowd.vitalsOf(id)?.peak ?? noPeak;
    const { timeoutMs, idleTimeoutMs } = settings;
    this.#deadlines = new Deadlines({
      timeoutMs,
      idleTimeoutMs,
      // It may have run for a while under another daemon.
      elapsedMs: this.elapsedMs,
      lastOutputMs: () => {
        tail.look();
        return tail.lastWriteMs === 0
          ? startedMs
          : performance.now() - Math.max(0, Date.now() - tail.lastWriteMs);
      },
      reached: (outcome, reason) => this.#stop(outcome, reason),
    });
    this.#options.changed();
    if (order !== null && order.receipt === null) void this.kill(order);
  }

  #told(diagnosis: Diagnosis, sample: TreeSample): void {
    const { id, journal, settings, changed, tail, canAnswer, crowd } = this.#options;
    const { leaderState } = sample;
    // What is left after the end is no health of it.
    if (leaderState === null || leaderState === 'Z') {
      this.#endWatch.check();
      return;
    }
    const before = this.diagnosis;
    const refined = tail.refine(diagnosis, canAnswer, () => this.pids());
    this.diagnosis = refined;
    this.sample = sample;
    if (this.#over) return;
    tellHealth(journal, before, refined);
    const reason = reasonToStop(refined, settings.killOn);
    if (reason !== null) this.#stop('stuck', reason);
    if (tail.wantsLook(crowd.vitalsOf(id)?.lookedMs ?? null)) this.lookSoon();
    if (this.#options.wantsStall) this.#beat();
    changed();
  }

  /** A stall lasts until something is printed. */
  #beat(): void {
    const { settings, tail } = this.#options;
    if (tail.bytes !== this.#stalledAt) this.stall = null;
    if (performance.now() - this.#beatMs < settings.heartbeatMs) return;
    this.#beatMs = performance.now();
    const stalled = tail.beat(this.elapsedMs);
    if (stalled === null) return;
    this.stall = stalled;
    this.#stalledAt = tail.bytes;
    if (settings.killOnStall) this.#stop('stalled', `${stalled} (--kill-on-stall)`);
  }

  /** A limit was reached. */
  #stop(outcome: Outcome, reason: string): void {
    const { graceMs } = this.#options.settings;
    if (this.#ending.isStopping || this.#over) return;
    const order = newKillOrder({ requestId: '', outcome, graceMs });
    void this.#carryOut(order, () => this.#ending.stop(outcome, reason));
  }

  /** Written down first: a tree that is half stopped must not stay so when we are killed. */
  async #carryOut(order: KillOrder, act: () => void): Promise<void> {
    const { directory } = this.#options;
    this.#order = order;
    writeKillOrder(directory, order);
    act();
    await this.#ending.settled;
    const { receipt } = this.#ending;
    if (receipt !== null) writeKillOrder(directory, { ...this.#order, receipt });
    this.#endWatch.check();
  }

  #end(standing: Ended): void {
    this.standing = standing;
    // It may have been stopped under another daemon.
    this.#ending.outcome = readKillOrder(this.#options.directory)?.outcome ?? this.#ending.outcome;
    this.close();
    // The command may be the first of its tree to go.
    void this.#ending.settled.then(() => this.#options.ended(standing, this.#ending));
  }
}
