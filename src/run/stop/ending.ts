import type { ProcessIdentity } from '../../model/facts/identity.js';
import type { Receipt } from '../../model/run/receipt.js';
import type { Outcome } from '../../model/run/run.js';
import type { WhyAnswer } from '../../model/verdict.js';
import type { Tree } from '../health/tree.js';
import type { Journal } from '../journal.js';
import { endChild, type OwnChild, signalChild } from './own-child.js';
import { PartStops } from './part-stops.js';

/** Time limit for evidence before a kill. After that the tree is stopped without evidence. */
const evidenceMs = 10_000;

export interface EndingOptions {
  journal: Journal;
  graceMs: number;
  /** null: evidence cannot be stored. */
  directory: string | null;
  /** Resolves when the command is known; null: it never became known. */
  tree: Promise<Tree | null>;
  /** The command, where only its pid is known; null: the pid is not known, or more than the pid is. */
  unseen?: Promise<OwnChild | null>;
  /** A normal exit takes precedence over every reason to stop. */
  hasExited(): boolean;
  /** A stop of the whole tree begins; false: it has failed. */
  stopping?(isStopping: boolean): void;
  /** How long to try when some processes cannot be read. Default: a short time. */
  unreadMsMax?: number;
  /** Called for each process of the tree that was signalled. */
  signalled?(): void;
}

/** Everything that ends a run early, and the facts that are known afterwards. */
export class Ending {
  outcome: Outcome = 'exited';
  receipt: Receipt | null = null;
  why: WhyAnswer | null = null;
  readonly files: string[] = [];
  /** Since when not every process of a tree that is being stopped can be read, by a monotonic clock; null: all can be. */
  unreadSinceMs: number | null = null;
  readonly #options: EndingOptions;
  readonly #hurry = new AbortController();
  /** Resolves when the tree has been stopped. Never resolves if no stop was requested. */
  readonly stopped: Promise<void>;
  #resolveStopped: () => void = () => {};
  /** Resolves when Unstuck is asked to end after the command has already ended. */
  readonly hurried: Promise<void>;
  #resolveHurried: () => void = () => {};
  #stopping: Promise<void> | null = null;
  /** The next signal of a person or caller kills. */
  #isInsisted = false;
  readonly parts: PartStops;

  constructor(options: EndingOptions) {
    this.#options = options;
    this.parts = new PartStops({
      ...options,
      abort: this.#hurry.signal,
      isStoppingAll: () => this.#stopping !== null,
      takeEvidence: (process, name) => this.#takeEvidence(process, name),
    });
    this.stopped = new Promise((resolve) => {
      this.#resolveStopped = resolve;
    });
    this.hurried = new Promise((resolve) => {
      this.#resolveHurried = resolve;
    });
  }

  /** Resolves when no stop is in progress. */
  get settled(): Promise<void> {
    return Promise.all([this.#stopping, this.parts.settled]).then(() => {});
  }

  /** Evidence, TERM, grace, KILL of the whole tree. Only the first reason counts. */
  stop(outcome: Outcome, reason: string): void {
    if (this.#stopping !== null || this.#options.hasExited()) return;
    this.outcome = outcome;
    this.#begin(this.#stop(reason, true));
  }

  /** A requested kill, without evidence: TERM, grace, KILL. A second request ends the grace. */
  kill(outcome: Outcome, reason: string, graceMs: number): void {
    if (this.#options.hasExited()) return;
    if (this.#stopping !== null) {
      this.#hurry.abort();
      return;
    }
    this.outcome = outcome;
    this.#begin(this.#stop(reason, false, graceMs));
  }

  /**
   * A signal is passed on as it comes, and its handlers may take their time. `insists`: a person at a terminal, or a
   * caller, does not want to wait any longer, and the second such signal kills now. Returns whether it does.
   */
  interrupt(signal: NodeJS.Signals, insists: boolean): boolean {
    if (this.#options.hasExited()) {
      // The command has ended by itself. Only the remaining work around it is cut short.
      this.#resolveHurried();
      this.#hurry.abort();
      return true;
    }
    if (insists && (this.#isInsisted || this.#stopping !== null)) {
      this.#hurry.abort();
      if (this.#stopping === null) this.#begin(this.#stop(`a second signal, ${signal}`, false));
      return true;
    }
    this.#isInsisted ||= insists;
    if (this.#stopping === null) this.outcome = 'interrupted';
    void this.pass(signal, 'passed on');
    return false;
  }

  /** Stops the tree as Ctrl-Z does. */
  async pause(): Promise<void> {
    const [tree, { pauseTree }] = await Promise.all([this.#options.tree, import('./pause-tree.js')]);
    const unseen = await this.#options.unseen;
    if (this.#options.hasExited()) return;
    this.#options.journal.report({ kind: 'signal', signal: 'SIGTSTP', reason: 'passed on' });
    if (tree !== null) await (tree.scan === null ? tree.freeze() : pauseTree(tree.scan));
    else if (unseen) signalChild(unseen, 'SIGSTOP');
  }

  /** Sends a signal to the command, its session or its whole tree, by the kind of signal. */
  async pass(signal: NodeJS.Signals, reason: string): Promise<void> {
    const tree = await this.#options.tree;
    const unseen = await this.#options.unseen;
    if (this.#options.hasExited() || (tree === null && !unseen)) return;
    this.#options.journal.report({ kind: 'signal', signal, reason });
    if (tree !== null)
      await tree.forward(signal).catch((error: Error) => this.#options.journal.warn(error.message));
    else if (unseen) signalChild(unseen, signal);
  }

  /** After the command has ended: stops what it left behind. */
  async stopRest(
    tree: Tree,
    reason: string,
    graceMs = this.#options.graceMs,
    unreadMsMax?: number,
  ): Promise<void> {
    const { journal, signalled = () => {} } = this.#options;
    const receipt = await tree.stop({
      graceMs,
      abort: this.#hurry.signal,
      onSignal: () => signalled(),
      onPoll: (isWhole) => {
        this.unreadSinceMs = isWhole ? null : (this.unreadSinceMs ?? performance.now());
      },
      unreadMsMax,
    });
    this.receipt ??= receipt;
    if (!receipt.whole) journal.warn('not every process could be read: something of it may be left');
    journal.report({ kind: 'killed', reason, receipt });
  }

  /** A tree that could not be stopped may be stopped later: the next reason counts again. */
  #begin(stopping: Promise<void>): void {
    this.#options.stopping?.(true);
    this.#stopping = stopping.then(this.#resolveStopped, (error: Error) => {
      this.#options.journal.warn(`it could not be stopped: ${error.message}`);
      this.#stopping = null;
      this.#options.stopping?.(false);
    });
  }

  async #stop(reason: string, withEvidence: boolean, graceMs = this.#options.graceMs): Promise<void> {
    const { journal, hasExited } = this.#options;
    const tree = await this.#options.tree;
    if (tree === null) return this.#stopUnseen(reason, graceMs);
    if (withEvidence && tree.scan !== null) this.why = await this.#takeEvidence(tree.leader);
    if (hasExited()) {
      if (this.outcome !== 'interrupted') this.outcome = 'exited';
      return;
    }
    journal.report({ kind: 'signal', signal: 'SIGTERM', reason });
    await this.stopRest(tree, reason, graceMs, this.#options.unreadMsMax);
  }

  /** Without /proc: the command with its process group. A process that has left the group cannot be found. */
  async #stopUnseen(reason: string, graceMs: number): Promise<void> {
    const { journal, unseen } = this.#options;
    const child = await unseen;
    if (!child) return;
    journal.report({ kind: 'signal', signal: 'SIGTERM', reason });
    await endChild(child, { graceMs, signal: 'SIGTERM', abort: this.#hurry.signal });
    journal.warn(
      'only the command and its process group were stopped: without /proc the rest cannot be found',
    );
  }

  /** `name`: the folder of the evidence. */
  async #takeEvidence({ pid }: ProcessIdentity, name = 'evidence'): Promise<WhyAnswer | null> {
    const { directory, journal } = this.#options;
    if (directory === null) return null;
    const { takeEvidence } = await import('./take-evidence.js');
    const { answer, files, warnings } = await takeEvidence({
      pid,
      dir: directory,
      name,
      totalMs: evidenceMs,
    });
    this.files.push(...files);
    for (const warning of warnings) journal.warn(warning);
    if (files.length > 0) journal.report({ kind: 'evidence', files });
    return answer;
  }
}
