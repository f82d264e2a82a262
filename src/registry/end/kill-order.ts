import { mapReading, type Reading } from '../../model/facts/reading.js';
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

export function newKillOrder(wish: Pick<KillOrder, 'requestId' | 'outcome' | 'graceMs'>): KillOrder {
  return { ...wish, askedMs: null, receipt: null };
}

export function writeKillOrder(directory: RunDirectory, order: KillOrder): void {
  try {
    directory.writeWhole(fileName, order);
  } catch {
    // The disk is full, or the directory is gone. The order is carried out unless this daemon is killed meanwhile.
  }
}

/** null: no stop is requested. */
export function readKillOrder(directory: RunDirectory): Reading<KillOrder | null> {
  return mapReading(directory.readJson(fileName), parseKillOrder);
}

function parseKillOrder(content: unknown): KillOrder | null {
  const { requestId, outcome, graceMs, askedMs, receipt } = (content ?? {}) as Partial<KillOrder>;
  if (typeof requestId !== 'string' || typeof graceMs !== 'number' || !(graceMs >= 0)) return null;
  if (outcome === undefined || !outcomes.includes(outcome)) return null;
  const asked = typeof askedMs === 'number' ? askedMs : null;
  return { requestId, outcome, graceMs, askedMs: asked, receipt: receipt ?? null };
}

/**
 * Called when the first process of the tree has been signalled. The grace counts from here, also for the next daemon.
 */
export function noteAsked(directory: RunDirectory, order: KillOrder): KillOrder {
  if (order.askedMs !== null) return order;
  const asked = { ...order, askedMs: uptimeMs() };
  writeKillOrder(directory, asked);
  return asked;
}

/** Daemons that die in quick succession must not each give the tree a new grace. */
export function graceLeftMs({ graceMs, askedMs }: KillOrder): number {
  return askedMs === null ? graceMs : Math.min(graceMs, Math.max(0, askedMs + graceMs - uptimeMs()));
}
