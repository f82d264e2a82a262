import { mapReading, type Reading } from '../../model/facts/reading.js';
import type { Receipt } from '../../model/run/receipt.js';
import { type Outcome, outcomes } from '../../model/run/run.js';
import { uptimeMs } from '../../probe/machine.js';
import type { RunDirectory } from '../../store/run-directory.js';

/** That somebody wants a run stopped: kept with it, so that the next daemon goes on where this one was killed. */
export interface KillOrder {
  requestId: string;
  /** Why: somebody asked, or a limit was reached. */
  outcome: Outcome;
  graceMs: number;
  /** When the tree was asked to end, since the machine started; null: it has not been. */
  askedMs: number | null;
  /** null: it has not been carried out yet. */
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
    // A full disk, or the directory is gone: it is carried out all the same, unless we are killed meanwhile.
  }
}

/** null: nobody wants it stopped. */
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

/** To be called when the first one of the tree has been asked to end: the grace counts from here, whoever goes on. */
export function noteAsked(directory: RunDirectory, order: KillOrder): KillOrder {
  if (order.askedMs !== null) return order;
  const asked = { ...order, askedMs: uptimeMs() };
  writeKillOrder(directory, asked);
  return asked;
}

/** A daemon that dies every second must not give a tree a new grace each time. */
export function graceLeftMs({ graceMs, askedMs }: KillOrder): number {
  return askedMs === null ? graceMs : Math.min(graceMs, Math.max(0, askedMs + graceMs - uptimeMs()));
}
