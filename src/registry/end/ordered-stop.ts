import { setTimeout as delay } from 'node:timers/promises';
import type { Outcome } from '../../model/run/run.js';
import type { Tree } from '../../run/health/tree.js';
import type { Journal } from '../../run/journal.js';
import { Ending } from '../../run/stop/ending.js';
import type { RunDirectory } from '../../store/run-directory.js';
import {
  graceLeftMs,
  type KillOrder,
  newKillOrder,
  noteAsked,
  readKillOrder,
  writeKillOrder,
} from './kill-order.js';

export interface OrderedStopOptions {
  directory: RunDirectory;
  journal: Journal;
  /** Used unless the order has its own. */
  graceMs: number;
  tree: Promise<Tree | null>;
  /** A normal exit takes precedence over every reason to stop. */
  hasExited(): boolean;
  /** The order was carried out, or there was nothing left to stop. */
  carriedOut(): void;
}

const tryAgainMs = 1000;

/** Stops a run by an order that is stored first, so that a tree does not stay half stopped if the daemon is killed. */
export class OrderedStop {
  readonly ending: Ending;
  readonly #options: OrderedStopOptions;
  /** The order in progress; null: no stop is requested. */
  #order: KillOrder | null = null;

  constructor(options: OrderedStopOptions) {
    this.#options = options;
    const { directory, journal, graceMs, tree, hasExited } = options;
    this.ending = new Ending({
      journal,
      graceMs,
      directory: directory.path,
      tree,
      hasExited,
      unreadMsMax: Number.POSITIVE_INFINITY,
      signalled: () => {
        if (this.#order !== null) this.#order = noteAsked(directory, this.#order);
      },
    });
  }

  /** Carries out a requested stop. Resolves when it is done, or when there was nothing left to stop. */
  async kill(order: KillOrder): Promise<void> {
    await this.#carryOut(order, () =>
      this.ending.kill(order.outcome, 'somebody asked for it', graceLeftMs(order)),
    );
  }

  /** Stops the run because a limit was reached. */
  stop(outcome: Outcome, reason: string): void {
    const { graceMs, hasExited } = this.#options;
    if (this.ending.isStopping || hasExited()) return;
    const order = newKillOrder({ requestId: '', outcome, graceMs });
    void this.#carryOut(order, () => this.ending.stop(outcome, reason));
  }

  /** The run has ended. An earlier daemon may have stopped it. */
  recallOutcome(): void {
    const order = readKillOrder(this.#options.directory);
    if (order.kind === 'known') this.ending.outcome = order.value?.outcome ?? this.ending.outcome;
  }

  async #carryOut(order: KillOrder, act: () => void): Promise<void> {
    const { directory, tree, hasExited, carriedOut } = this.#options;
    this.#order = order;
    writeKillOrder(directory, order);
    for (let isDone = false; !isDone; ) {
      act();
      await this.ending.settled;
      isDone = this.ending.receipt !== null || hasExited() || (await tree) === null;
      if (!isDone) await delay(tryAgainMs, undefined, { ref: false });
    }
    const { receipt } = this.ending;
    if (receipt !== null) writeKillOrder(directory, { ...this.#order, receipt });
    carriedOut();
  }
}
