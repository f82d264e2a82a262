import { knownValue, mapReading } from '../../model/facts/reading.js';
import type { Receipt } from '../../model/run/receipt.js';
import { type Outcome, outcomes } from '../../model/run/run.js';
import { uptimeMs } from '../../probe/machine.js';
import type { RunDirectory } from '../../store/run-directory.js';

/** A request to stop a run. It is stored with the run, so that the next daemon continues if this one is killed. */
export interface KillOrder {
  requestId: string;
  /** The reason: a request, or a limit that was reached. */
  outcome: Outcome;
  graceMs: number;
  /** When the tree was asked to end, in time since boot; null: not yet. */
  askedMs: number | null;
  /** null: the order has not been carried out yet. */
  receipt: Receipt | null;
}

const fileName = 'kill.json';

/** The order to stop a run, as it is stored in its directory. */
export class KillOrders {
  readonly #directory: RunDirectory;
  /** The order that this program carries out; null: none. */
  #order: KillOrder | null = null;

  constructor(directory: RunDirectory) {
    this.#directory = directory;
  }

  /** null: no stop is requested. Throws when it cannot be read now. */
  read(): KillOrder | null {
    const read = mapReading(this.#directory.readJson(fileName), parseKillOrder);
    return knownValue(read, 'whether it is to be stopped');
  }

  /** Stored before the first signal, so that a tree does not stay half stopped if the daemon is killed. */
  begin(order: KillOrder): void {
    this.#order = order;
    try {
      this.#directory.writeWhole(fileName, order);
    } catch {
      // The disk is full, or the directory is gone. The order is carried out unless this daemon is killed meanwhile.
    }
  }

  /** Goes on with an order that an earlier daemon left. Returns the grace that is left of it. */
  resume(order: KillOrder): number {
    this.begin(order);
    return graceLeftMs(order);
  }

  /**
   * Called when a process of the tree has been signalled. The grace counts from the first one, also for the next
   * daemon.
   */
  noteAsked(): void {
    if (this.#order?.askedMs === null) this.begin({ ...this.#order, askedMs: uptimeMs() });
  }

  carriedOut(receipt: Receipt): void {
    if (this.#order !== null) this.begin({ ...this.#order, receipt });
  }
}

function parseKillOrder(content: unknown): KillOrder | null {
  const { requestId, outcome, graceMs, askedMs, receipt } = (content ?? {}) as Partial<KillOrder>;
  if (typeof requestId !== 'string' || typeof graceMs !== 'number' || !(graceMs >= 0)) return null;
  if (outcome === undefined || !outcomes.includes(outcome)) return null;
  const asked = typeof askedMs === 'number' ? askedMs : null;
  return { requestId, outcome, graceMs, askedMs: asked, receipt: receipt ?? null };
}

/** Daemons that die in quick succession must not each give the tree a new grace. */
export function graceLeftMs({ graceMs, askedMs }: KillOrder): number {
  return askedMs === null ? graceMs : Math.min(graceMs, Math.max(0, askedMs + graceMs - uptimeMs()));
}
