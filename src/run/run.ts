import { setTimeout as delay } from 'node:timers/promises';
import type { RunSettings } from '../config/run-settings.js';
import type { ProcessIdentity } from '../model/facts/identity.js';
import type { Outcome, RunReport } from '../model/run/run.js';
import type { Finding } from '../model/verdict.js';
import type { RunDirectory } from '../store/run-directory.js';
import { Deadlines } from './deadlines.js';
import { conclude, type EndManner, type Left, leave } from './end.js';
import type { Tree } from './health/tree.js';
import type { Journal } from './journal.js';
import type { Monitor, Monitored } from './monitor.js';
import type { WatchedOutput } from './output/clues.js';
import { composeReport, type EndFacts, type RunAbout } from './report/compose.js';
import {
  type Change,
  type Command,
  commandOf,
  type Exited,
  isOver,
  isStarting,
  isStopping,
  nextState,
  type RunState,
  type Standing,
} from './state.js';
import { Ending } from './stop/ending.js';
import type { KillOrder, KillOrders } from './stop/kill-order.js';
import type { OwnChild } from './stop/own-child.js';

/** What the shim reports about the command: over its pipe, or in the files of the run's directory. */
export interface ShimReports {
  /** Reports each standing until the end is proven. `stopped` resolves when the tree has been stopped. */
  follow(seen: (standing: Standing) => void, stopped: Promise<void>): void;
  /** The tree of a command that was seen running, or has ended; null: nothing can be read about it. */
  treeOf(command: Command): Tree | null;
  /** The command may have ended. */
  check?(): void;
  /** Resolves with true when all output of the command is in its log, with false after the given time. */
  drained(ms: number): Promise<boolean>;
  close(): void;
}

/** What samples a run: timers of its own, or the crowd of a daemon. */
export interface Pulse {
  /** null: not yet. */
  readonly monitor: Monitor | null;
  /** false: provably no process of the run is left. */
  mayHaveLeft(): boolean;
  /** Nothing is reported after this. */
  stop(): Promise<void> | void;
}

export interface RunOptions<Beats extends Pulse = Pulse> {
  about: RunAbout;
  settings: RunSettings;
  canAnswer: boolean;
  /** null: nothing could be stored. */
  directory: RunDirectory | null;
  journal: Journal;
  output: WatchedOutput;
  shim: ShimReports;
  /** Stores a stop before it begins, so that another process can finish it; null: a stop ends with this process. */
  orders: KillOrders | null;
  /** What is special about its end. */
  manner: EndManner;
  /** The command, where only its pid is known. */
  unseen?: Promise<OwnChild | null>;
  /** How long the command has run; null: not known before the command is. */
  ageMs(leader: ProcessIdentity | null): number | null;
  pulse(run: Run): Beats;
  /** The state or the health may have changed. */
  changed?(): void;
}

const tryAgainMs = 1000;

/** One command from its start to its end, in the foreground and in the background. */
export class Run<Beats extends Pulse = Pulse> implements Monitored {
  readonly settings: RunSettings;
  readonly canAnswer: boolean;
  readonly journal: Journal;
  readonly output: WatchedOutput;
  readonly ending: Ending;
  /** Resolves when the command is known; null: it never became known. */
  readonly tree: Promise<Tree | null>;
  /** Resolves at the end; null: this program has let go of the run before. */
  readonly done: Promise<RunReport | null>;
  readonly pulse: Beats;
  readonly #options: RunOptions<Beats>;
  #state: RunState = { kind: 'starting' };
  #resolveTree: (tree: Tree | null) => void = () => {};
  #deadlines: Deadlines | null = null;
  #finish: (report: Promise<RunReport | null> | null) => void = () => {};

  constructor(options: RunOptions<Beats>) {
    this.#options = options;
    const { settings, journal, directory, orders, unseen } = options;
    this.settings = settings;
    this.canAnswer = options.canAnswer;
    this.journal = journal;
    this.output = options.output;
    this.tree = new Promise((resolve) => {
      this.#resolveTree = resolve;
    });
    this.done = new Promise((resolve) => {
      this.#finish = resolve;
    });
    this.ending = new Ending({
      journal,
      graceMs: settings.graceMs,
      directory: directory?.path ?? null,
      tree: this.tree,
      ...(unseen !== undefined && { unseen }),
      hasExited: () => isOver(this.#state),
      stopping: (isSo) => this.#change({ kind: isSo ? 'stop' : 'stop-failed' }),
      ...(orders !== null && { unreadMsMax: Number.POSITIVE_INFINITY, signalled: () => orders.noteAsked() }),
    });
    this.pulse = options.pulse(this);
    this.#arm();
  }

  /** To be called once. */
  begin(): void {
    const seen = (standing: Standing) => this.#change({ kind: 'seen', standing });
    this.#options.shim.follow(seen, this.ending.stopped);
  }

  get state(): RunState {
    return this.#state;
  }

  /** Time since the start, by a monotonic clock. */
  get elapsedMs(): number {
    return this.#options.ageMs(commandOf(this.#state).leader) ?? 0;
  }

  isQuiet(): boolean {
    return isOver(this.#state) || isStopping(this.#state) || this.ending.isStoppingPart;
  }

  /** The command may have ended. */
  check(): void {
    this.#options.shim.check?.();
  }

  changed(): void {
    this.#options.changed?.();
  }

  /** Stops the run because a limit was reached, or a hang was found. Only the first reason counts. */
  stop(outcome: Outcome, reason: string): void {
    if (isStopping(this.#state) || isOver(this.#state)) return;
    const { graceMs } = this.settings;
    void this.#carryOut({ requestId: '', outcome, graceMs, askedMs: null, receipt: null }, () =>
      this.ending.stop(outcome, reason),
    );
  }

  stopParts(findings: readonly Finding[]): void {
    this.ending.stopParts(findings);
  }

  /** Carries out a requested stop. Resolves when it is done, or when there was nothing left to stop. */
  kill(order: KillOrder): Promise<void> {
    return this.#carryOut(order, (graceMs) =>
      this.ending.kill(order.outcome, 'somebody asked for it', graceMs),
    );
  }

  /** The report as of now, or of the end. */
  report(facts: EndFacts): RunReport {
    const { about, journal, output } = this.#options;
    return composeReport({ about, journal, ending: this.ending, output, monitor: this.pulse.monitor }, facts);
  }

  /** Detaches from the run. The run lives on. */
  detach(): void {
    this.#change({ kind: 'detach' });
  }

  /** An order that is stored is carried out until nothing is left, or it is not this program's run any more. */
  async #carryOut(order: KillOrder, act: (graceMs: number) => void): Promise<void> {
    const { orders } = this.#options;
    if (orders === null) return act(order.graceMs);
    const graceMs = orders.resume(order);
    for (let isDone = false; !isDone; ) {
      act(graceMs);
      await this.ending.settled;
      isDone = this.ending.receipt !== null || isOver(this.#state) || (await this.tree) === null;
      if (!isDone) await delay(tryAgainMs, undefined, { ref: false });
    }
    if (this.ending.receipt !== null) orders.carriedOut(this.ending.receipt);
    this.check();
  }

  #change(change: Change): void {
    const before = this.#state;
    const state = nextState(before, change);
    this.#state = state;
    if (state === before || (state.kind === before.kind && reasonOf(state) === reasonOf(before))) return;
    if (isStarting(before) && !isStarting(state)) this.#begin(state);
    if (isOver(state) && !isOver(before)) this.#leave(state);
    this.changed();
  }

  /** The command is known, or never will be. */
  #begin(state: RunState): void {
    const isThere = !isOver(state);
    const running = state.kind === 'stopping' ? state.of : state;
    this.#resolveTree(running.kind === 'running' ? this.#options.shim.treeOf(running) : null);
    if (isThere) this.#arm();
  }

  #arm(): void {
    const { timeoutMs, idleTimeoutMs } = this.settings;
    const elapsedMs = this.#options.ageMs(commandOf(this.#state).leader);
    if (this.#deadlines !== null || elapsedMs === null) return;
    const startedMs = performance.now() - elapsedMs;
    this.#deadlines = new Deadlines({
      timeoutMs,
      idleTimeoutMs,
      elapsedMs,
      lastOutputMs: () => this.output.lastNow() ?? startedMs,
      reached: (outcome, reason) => this.stop(outcome, reason),
    });
  }

  #leave(state: RunState): void {
    this.#deadlines?.clear();
    if (state.kind === 'leaving') {
      this.#finish(this.#end(state));
      return;
    }
    this.#options.shim.close();
    void this.pulse.stop();
    this.#finish(null);
  }

  async #end(exited: Exited): Promise<RunReport | null> {
    const { manner, journal } = this.#options;
    const left = await this.#leaveBehind(exited);
    if (left === null) return null;
    const { atMs, outputLost } = left.facts;
    // A warning with more detail may have been reported when it happened.
    const isKnown = journal.warnings.some((warning) => warning.startsWith(outputLost?.message ?? ''));
    if (outputLost !== null && !isKnown) journal.warn(outputLost.message);
    const report = this.report(left.facts);
    if (!left.isReported) await conclude(report, { manner, journal });
    this.#change({ kind: 'done', atMs, outputLost });
    return report;
  }

  async #leaveBehind(exited: Exited): Promise<Left | null> {
    const { shim } = this.#options;
    try {
      this.output.expectLast?.();
      // The command may be the first of its tree to end.
      await this.ending.settled;
      return await leave({
        ...this.#options,
        exit: exited.exit,
        ending: this.ending,
        tree: (await this.tree) ?? shim.treeOf(exited),
        drained: (ms) => shim.drained(ms),
        mayHaveLeft: () => this.pulse.mayHaveLeft(),
        isDetached: () => this.#state.kind === 'detached',
        unread: (reason) => this.#change({ kind: 'unread', reason }),
      });
    } finally {
      await this.pulse.stop();
      shim.close();
    }
  }
}

function reasonOf(state: RunState): string | null {
  return state.kind === 'unknown' ? state.reason : null;
}
