import { setTimeout as delay } from 'node:timers/promises';
import type { Outcome, RunReport } from '../model/run/run.js';
import { Deadlines } from './deadlines.js';
import { conclude, type Left, leave } from './end.js';
import type { Tree } from './health/tree.js';
import type { Pulse, RunParts } from './parts.js';
import { composeReport, type EndFacts } from './report/compose.js';
import {
  type Change,
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
import type { KillOrder } from './stop/kill-order.js';

const tryAgainMs = 1000;

/** One command from its start to its end, in the foreground and in the background. */
export class Run<Beats extends Pulse = Pulse> {
  readonly parts: RunParts;
  readonly pulse: Beats;
  readonly ending: Ending;
  /** Resolves when the command is known; null: it never became known. */
  readonly tree: Promise<Tree | null>;
  /** Resolves at the end; null: this program has let go of the run before. */
  readonly done: Promise<RunReport | null>;
  #state: RunState = { kind: 'starting' };
  #resolveTree: (tree: Tree | null) => void = () => {};
  #deadlines: Deadlines | null = null;
  #finish: (report: Promise<RunReport | null> | null) => void = () => {};

  constructor(parts: RunParts, pulse: (run: Run) => Beats) {
    this.parts = parts;
    const { settings, journal, directory, orders, unseen } = parts;
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
    this.pulse = pulse(this);
    this.#arm();
  }

  /** To be called once. */
  begin(): void {
    const seen = (standing: Standing) => this.#change({ kind: 'seen', standing });
    this.parts.shim.follow(seen, this.ending.stopped);
  }

  get state(): RunState {
    return this.#state;
  }

  /** Time since the start, by a monotonic clock. */
  get elapsedMs(): number {
    return this.parts.ageMs(commandOf(this.#state).leader) ?? 0;
  }

  /** The tree is paused or being stopped, or the command has ended: what the tree does does not count. */
  isQuiet(): boolean {
    if (this.parts.pauses?.isPaused) return true;
    return isOver(this.#state) || isStopping(this.#state) || this.ending.parts.isStopping;
  }

  /** The command may have ended. */
  check(): void {
    this.parts.shim.check?.();
  }

  changed(): void {
    this.parts.changed?.();
  }

  /** Stops the run because a limit was reached, or a hang was found. Only the first reason counts. */
  stop(outcome: Outcome, reason: string): void {
    if (isStopping(this.#state) || isOver(this.#state)) return;
    const { graceMs } = this.parts.settings;
    void this.#carryOut({ requestId: '', outcome, graceMs, askedMs: null, receipt: null }, () =>
      this.ending.stop(outcome, reason),
    );
  }

  /** Carries out a requested stop. Resolves when it is done, or when there was nothing left to stop. */
  kill(order: KillOrder): Promise<void> {
    return this.#carryOut(order, (graceMs) =>
      this.ending.kill(order.outcome, 'a kill was requested', graceMs),
    );
  }

  /** The report as of now, or of the end. */
  report(facts: EndFacts): RunReport {
    const { ending, pulse } = this;
    return composeReport({ ...this.parts, ending, monitor: pulse.monitor }, facts);
  }

  /** Detaches from the run. The run lives on. */
  detach(): void {
    this.#change({ kind: 'detach' });
  }

  /** An order that is stored is carried out until nothing is left, or it is not this program's run any more. */
  async #carryOut(order: KillOrder, act: (graceMs: number) => void): Promise<void> {
    const { orders } = this.parts;
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
    if (isStarting(before) && !isStarting(state)) this.#begin(state);
    if (state === before || (state.kind === before.kind && reasonOf(state) === reasonOf(before))) return;
    if (isOver(state) && !isOver(before)) this.#leave(state);
    this.changed();
  }

  /** The command is known, or never will be. */
  #begin(state: RunState): void {
    const isThere = !isOver(state);
    const running = state.kind === 'stopping' ? state.of : state;
    this.#resolveTree(running.kind === 'running' ? this.parts.shim.treeOf(running) : null);
    if (isThere) this.#arm();
  }

  #arm(): void {
    const { timeoutMs, idleTimeoutMs } = this.parts.settings;
    const elapsedMs = this.parts.ageMs(commandOf(this.#state).leader);
    if (this.#deadlines !== null || elapsedMs === null) return;
    const startedMs = performance.now() - elapsedMs;
    this.#deadlines = new Deadlines({
      timeoutMs,
      idleTimeoutMs,
      elapsedMs,
      lastOutputMs: () => this.parts.output.lastNow() ?? startedMs,
      ...(this.parts.pauses !== undefined && { pauses: this.parts.pauses }),
      reached: (outcome, reason) => this.stop(outcome, reason),
    });
  }

  #leave(state: RunState): void {
    this.#deadlines?.clear();
    if (state.kind === 'leaving') {
      this.#finish(this.#end(state));
      return;
    }
    this.parts.shim.close();
    void this.pulse.stop();
    this.#finish(null);
  }

  async #end(exited: Exited): Promise<RunReport | null> {
    const { journal } = this.parts;
    const left = await this.#leaveBehind(exited);
    if (left === null) return null;
    const { atMs, outputLost } = left.facts;
    // A warning with more detail may have been reported when it happened.
    const isKnown = journal.warnings.some((warning) => warning.startsWith(outputLost?.message ?? ''));
    if (outputLost !== null && !isKnown) journal.warn(outputLost.message);
    const report = this.report(left.facts);
    if (!left.isReported) await conclude(report, this.parts, this.pulse.monitor);
    this.#change({ kind: 'done', atMs, outputLost });
    return report;
  }

  async #leaveBehind(exited: Exited): Promise<Left | null> {
    const { shim } = this.parts;
    try {
      this.parts.output.expectLast?.();
      // The command may be the first of its tree to end.
      await this.ending.settled;
      return await leave({
        parts: this.parts,
        exit: exited.exit,
        ending: this.ending,
        tree: (await this.tree) ?? shim.treeOf(exited),
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
