import type { ProcessIdentity } from '../model/identity.js';
import type { Receipt } from '../model/receipt.js';
import type { Outcome } from '../model/run.js';
import type { Finding, WhyAnswer } from '../model/verdict.js';
import type { MemberScan } from '../probe/linux/members.js';
import type { Journal } from './journal.js';
import type { Tree } from './tree.js';

/** Evidence may take this long before a kill; after that the tree is stopped without. */
const evidenceMs = 10_000;

export interface EndingOptions {
  journal: Journal;
  graceMs: number;
  /** null: nowhere to keep evidence. */
  directory: string | null;
  /** Resolves when the command is known; null: it never was. */
  tree: Promise<Tree | null>;
  /** A normal finish wins over every reason to stop. */
  hasExited(): boolean;
  /** Somebody of the tree was signalled; called for each. */
  signalled?(): void;
}

/** Everything that ends a run before its time, and what is known of it afterwards. */
export class Ending {
  outcome: Outcome = 'exited';
  receipt: Receipt | null = null;
  why: WhyAnswer | null = null;
  readonly files: string[] = [];
  readonly #options: EndingOptions;
  readonly #hurry = new AbortController();
  /** Resolves when a tree that was to be stopped has been; never without. */
  readonly stopped: Promise<void>;
  #tellStopped: () => void = () => {};
  /** Resolves when somebody wants us to end although the command has ended already. */
  readonly hurried: Promise<void>;
  #tellHurried: () => void = () => {};
  #stopping: Promise<void> | null = null;
  /** Parts that were stopped, or are being stopped. */
  readonly #parts = new Set<string>();

  constructor(options: EndingOptions) {
    this.#options = options;
    this.stopped = new Promise((resolve) => {
      this.#tellStopped = resolve;
    });
    this.hurried = new Promise((resolve) => {
      this.#tellHurried = resolve;
    });
  }

  get isStopping(): boolean {
    return this.#stopping !== null;
  }

  /** Resolves when nothing is being stopped (any more). */
  get settled(): Promise<void> {
    return this.#stopping ?? Promise.resolve();
  }

  /** Evidence, TERM, grace, KILL of the whole tree; only the first reason counts. */
  stop(outcome: Outcome, reason: string): void {
    if (this.#stopping !== null || this.#options.hasExited()) return;
    this.outcome = outcome;
    this.#stopping = this.#stop(reason, true).finally(this.#tellStopped);
  }

  /** Somebody asked for it, and needs no evidence: TERM, grace, KILL. Asked again, it is not waited for any longer. */
  kill(outcome: Outcome, reason: string, graceMs: number): void {
    if (this.#options.hasExited()) return;
    if (this.#stopping !== null) {
      this.#hurry.abort();
      return;
    }
    this.outcome = outcome;
    this.#stopping = this.#stop(reason, false, graceMs).finally(this.#tellStopped);
  }

  /** B11: the first one is passed on, and whoever handles it may take its time; a second one kills now. */
  interrupt(signal: NodeJS.Signals): void {
    if (this.#options.hasExited()) {
      // It has ended by itself: only what is still going on around it is cut short.
      this.#tellHurried();
      this.#hurry.abort();
      return;
    }
    if (this.outcome === 'interrupted' || this.#stopping !== null) {
      this.#hurry.abort();
      this.#stopping ??= this.#stop(`a second signal, ${signal}`, false).finally(this.#tellStopped);
      return;
    }
    this.outcome = 'interrupted';
    void this.pass(signal, 'passed on');
  }

  /** Gives a signal to everybody in the tree. */
  async pass(signal: NodeJS.Signals, reason: string): Promise<void> {
    const [tree, { forward }] = await Promise.all([this.#options.tree, import('./terminate/forward.js')]);
    if (tree === null || this.#options.hasExited()) return;
    this.#options.journal.tell({ kind: 'signal', signal, reason });
    forward(tree.scan, signal);
  }

  /** After the command has ended: stops what it left behind. */
  async stopRest(scan: MemberScan, reason: string, graceMs = this.#options.graceMs): Promise<void> {
    const { terminate } = await import('./terminate/terminate.js');
    const { journal, signalled = () => {} } = this.#options;
    const receipt = await terminate({
      scan,
      signal: 'SIGTERM',
      graceMs,
      abort: this.#hurry.signal,
      onSignal: signalled,
    });
    this.receipt ??= receipt;
    journal.tell({ kind: 'killed', reason, receipt });
  }

  /** Evidence, TERM, grace, KILL of stuck parts only; each is stopped once. The run goes on. */
  stopParts(findings: readonly Finding[]): void {
    for (const finding of findings) {
      const key = `${finding.root.pid} ${finding.root.startTicks}`;
      if (this.#parts.has(key) || this.#stopping !== null || this.#options.hasExited()) continue;
      this.#parts.add(key);
      void this.#stopPart(finding);
    }
  }

  async #stopPart({ root, reason: why }: Finding): Promise<void> {
    const { journal, graceMs } = this.#options;
    const tree = await this.#options.tree;
    if (tree === null) return;
    const [{ terminate }, { PartMembers }] = await Promise.all([
      import('./terminate/terminate.js'),
      import('./terminate/part-members.js'),
    ]);
    await this.#takeEvidence({ ...tree.leader, ...root }, `part-${root.pid}`);
    const reason = `${why} (--kill-stuck part)`;
    const receipt = await terminate({
      scan: new PartMembers(tree.scan, root),
      signal: 'SIGTERM',
      graceMs,
      abort: this.#hurry.signal,
    });
    journal.tell({ kind: 'part-stopped', reason, receipt });
  }

  async #stop(reason: string, withEvidence: boolean, graceMs = this.#options.graceMs): Promise<void> {
    const { journal, hasExited } = this.#options;
    const tree = await this.#options.tree;
    if (tree === null) return;
    if (withEvidence) this.why = await this.#takeEvidence(tree.leader);
    if (hasExited()) {
      if (this.outcome !== 'interrupted') this.outcome = 'exited';
      return;
    }
    journal.tell({ kind: 'signal', signal: 'SIGTERM', reason });
    await this.stopRest(tree.scan, reason, graceMs);
  }

  /** `name`: of the place it is kept in. */
  async #takeEvidence({ pid }: ProcessIdentity, name = 'evidence'): Promise<WhyAnswer | null> {
    const { directory, journal } = this.#options;
    if (directory === null) return null;
    const { takeEvidence } = await import('./evidence/take-evidence.js');
    const { answer, files, warnings } = await takeEvidence({
      pid,
      dir: directory,
      name,
      totalMs: evidenceMs,
    });
    this.files.push(...files);
    for (const warning of warnings) journal.warn(warning);
    if (files.length > 0) journal.tell({ kind: 'evidence', files });
    return answer;
  }
}
