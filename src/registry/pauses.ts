import { setTimeout as delay } from 'node:timers/promises';
import { knownValue, mapReading } from '../model/facts/reading.js';
import { Failure } from '../model/failure.js';
import { uptimeMs } from '../probe/machine.js';
import type { Tree } from '../run/health/tree.js';
import type { PausedTime } from '../run/parts.js';
import type { RunDirectory } from '../store/run-directory.js';

/** What is wanted of a run. It is stored with the run before the first signal, like an order to stop it. */
interface PauseOrder {
  requestId: string;
  paused: boolean;
  /** When it was ordered, in time since boot. */
  atMs: number;
  /** How long the run was paused before. */
  heldMs: number;
  /** Every process has been signalled. */
  done: boolean;
}

export interface PausesOptions {
  directory: RunDirectory;
  /** Resolves when the command is known; null: it never became known. */
  tree(): Promise<Tree | null>;
  hasEnded(): boolean;
  changed(): void;
}

const fileName = 'pause.json';
const againMs = 1000;
const never: PauseOrder = { requestId: '', paused: false, atMs: 0, heldMs: 0, done: true };

/** Pauses and resumes a run. The next daemon finishes what this one has begun. */
export class Pauses implements PausedTime {
  readonly #options: PausesOptions;
  #order: PauseOrder;

  /** Throws when it cannot be read whether the run is paused. */
  constructor(options: PausesOptions) {
    this.#options = options;
    const read = mapReading(options.directory.readJson(fileName), parseOrder);
    this.#order = knownValue(read, 'whether it is paused');
  }

  get isPaused(): boolean {
    return this.#order.paused;
  }

  /** For how long the run has been paused this time. */
  get pausedForMs(): number {
    return this.isPaused ? Math.max(0, uptimeMs() - this.#order.atMs) : 0;
  }

  get totalMs(): number {
    return this.#order.heldMs + this.pausedForMs;
  }

  get lastMs(): number {
    const { atMs } = this.#order;
    if (atMs === 0) return Number.NEGATIVE_INFINITY;
    return this.isPaused ? performance.now() : performance.now() - Math.max(0, uptimeMs() - atMs);
  }

  knows(requestId: string): boolean {
    return this.#order.requestId === requestId;
  }

  /** Finishes what an earlier daemon has begun. */
  adopt(): void {
    if (!this.#order.done) void this.#carryOut(this.#order);
  }

  /** Resolves with false when the run was so already. */
  async set(paused: boolean, requestId: string): Promise<boolean> {
    const before = this.#order;
    if (before.requestId === requestId) {
      await this.#carryOut(before);
      return true;
    }
    if (before.paused === paused && before.done) return false;
    const order = { requestId, paused, atMs: uptimeMs(), heldMs: this.totalMs, done: false };
    this.#keep(order);
    await this.#carryOut(order);
    return true;
  }

  /** A tree that cannot be read whole is tried again until it can be, or another order comes. */
  async #carryOut(order: PauseOrder): Promise<void> {
    const tree = await this.#options.tree();
    const isCurrent = () => this.#order.requestId === order.requestId && !this.#options.hasEnded();
    while (tree !== null && isCurrent()) {
      const isWhole = await (order.paused ? tree.freeze() : tree.resume()).catch(() => false);
      if (isWhole) break;
      await delay(againMs, undefined, { ref: false });
    }
    if (isCurrent()) this.#keep({ ...order, done: true });
    this.#options.changed();
  }

  #keep(order: PauseOrder): void {
    try {
      this.#options.directory.writeWhole(fileName, order);
    } catch (cause) {
      // Without the order, a daemon that adopts the run would take it for stopped by accident.
      if (!order.done) {
        const message = `the run cannot be ${order.paused ? 'paused' : 'resumed'}: the order cannot be stored`;
        throw new Failure('cannot-write', message, 'free some disk space', { cause });
      }
    }
    this.#order = order;
  }
}

function parseOrder(content: unknown): PauseOrder {
  const { requestId, paused, atMs, heldMs, done } = (content ?? {}) as Partial<PauseOrder>;
  if (typeof requestId !== 'string' || typeof paused !== 'boolean') return never;
  const number = (value: unknown) => (typeof value === 'number' && value >= 0 ? value : 0);
  return { requestId, paused, atMs: number(atMs), heldMs: number(heldMs), done: done === true };
}
