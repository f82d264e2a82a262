import type { Receipt } from '../../model/receipt.js';
import { type Outcome, outcomes } from '../../model/run.js';
import type { RunDirectory } from '../../store/run-directory.js';

/** That somebody wants a run stopped: kept with it, so that the next daemon goes on where this one was killed. */
export interface KillOrder {
  requestId: string;
  /** Why: somebody asked, or a limit was reached. */
  outcome: Outcome;
  graceMs: number;
  /** null: it has not been carried out yet. */
  receipt: Receipt | null;
}

const fileName = 'kill.json';

export function writeKillOrder(directory: RunDirectory, order: KillOrder): void {
  try {
    directory.writeWhole(fileName, order);
  } catch {
    // A full disk, or the directory is gone: it is carried out all the same, unless we are killed meanwhile.
  }
}

/** null: nobody wants it stopped. */
export function readKillOrder(directory: RunDirectory): KillOrder | null {
  const { requestId, outcome, graceMs, receipt } = (directory.readJson(fileName) ?? {}) as Partial<KillOrder>;
  if (typeof requestId !== 'string' || typeof graceMs !== 'number' || !(graceMs >= 0)) return null;
  if (outcome === undefined || !outcomes.includes(outcome)) return null;
  return { requestId, outcome, graceMs, receipt: receipt ?? null };
}
