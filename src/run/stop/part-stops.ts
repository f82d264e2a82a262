import type { PartRoot, ProcessIdentity } from '../../model/facts/identity.js';
import type { Receipt } from '../../model/run/receipt.js';
import type { Finding } from '../../model/verdict.js';
import type { Tree } from '../health/tree.js';
import type { Journal } from '../journal.js';
import { mayStopPart, PartClaims } from './part-members.js';

interface PartStopsOptions {
  journal: Journal;
  graceMs: number;
  tree: Promise<Tree | null>;
  hasExited(): boolean;
  /** Ends the grace. */
  abort: AbortSignal;
  isStoppingAll(): boolean;
  /** `name`: the folder of the evidence. */
  takeEvidence(process: ProcessIdentity, name: string): Promise<unknown>;
}

/** Stops of parts of a run that goes on. */
export class PartStops {
  readonly #options: PartStopsOptions;
  readonly #claims = new PartClaims();
  readonly #stopping = new Set<Promise<void>>();

  constructor(options: PartStopsOptions) {
    this.#options = options;
  }

  /** While Unstuck scans and stops a part of the tree, the tree's activity does not count. */
  get isStopping(): boolean {
    return this.#stopping.size > 0;
  }

  /** Resolves when no part is being stopped. */
  get settled(): Promise<unknown> {
    return Promise.all(this.#stopping);
  }

  /** Evidence, TERM, grace, KILL of stuck parts only. The run goes on. */
  stop(findings: readonly Finding[]): void {
    for (const finding of findings) {
      if (!mayStopPart(finding) || this.#options.isStoppingAll() || this.#options.hasExited()) continue;
      const top = this.#claims.claim(finding);
      if (top === null) continue;
      const failed = (error: Error): void => {
        this.#claims.release(finding);
        this.#options.journal.warn(`a stuck part could not be stopped: ${error.message}`);
      };
      const stopping = this.#stopPart(finding, top)
        .catch(failed)
        .finally(() => this.#stopping.delete(stopping));
      this.#stopping.add(stopping);
    }
  }

  /** TERM, grace, KILL of one process of the tree with all that it started, on request. The run goes on. */
  async stopBranch(top: PartRoot, graceMs = this.#options.graceMs): Promise<Receipt | null> {
    const { journal, abort } = this.#options;
    const tree = await this.#options.tree;
    if (tree === null) return null;
    const stopping = tree.stopPart(top, { graceMs, abort });
    const settled = stopping.then(
      () => {},
      () => {},
    );
    this.#stopping.add(settled);
    try {
      const receipt = await stopping;
      const reason = 'a stop of this part was requested';
      if (receipt.processes.length > 0) journal.report({ kind: 'part-stopped', reason, receipt });
      return receipt;
    } finally {
      this.#stopping.delete(settled);
    }
  }

  /** `top`: the topmost process to stop. */
  async #stopPart({ root, reason: why }: Finding, top: PartRoot): Promise<void> {
    const { journal, graceMs, abort, hasExited, takeEvidence } = this.#options;
    const tree = await this.#options.tree;
    // Some threads of the command itself are stuck. Stopping them would stop the whole run.
    if (tree === null || top.pid === tree.leader.pid) return;
    if (tree.scan !== null) await takeEvidence({ ...tree.leader, ...root }, `part-${root.pid}`);
    if (hasExited()) return;
    const reason = `${why} (--kill-stuck part)`;
    const receipt = await tree.stopPart(top, { graceMs, abort });
    journal.report({ kind: 'part-stopped', reason, receipt });
  }
}
