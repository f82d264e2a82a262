import fs from 'node:fs';
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
  try {
    const order = JSON.parse(fs.readFileSync(directory.file(fileName), 'utf8')) as KillOrder;
    const { requestId, outcome, graceMs, receipt } = order;
    return typeof requestId === 'string' && outcomes.includes(outcome) && graceMs >= 0
      ? { requestId, outcome, graceMs, receipt: receipt ?? null }
      : null;
  } catch {
    return null;
  }
}
