import { setTimeout as delay } from 'node:timers/promises';
import { isAbsent } from '../../model/facts/absence.js';
import { readRow } from '../../probe/processes.js';
import type { RunDirectory } from '../../store/run-directory.js';
import { type Standing, standingOf } from '../standing.js';

export interface StartOptions {
  directory: RunDirectory;
  /** Of the machine when the run was started. */
  boot: string;
  /** The shim that was started for it just now; null: by another daemon. */
  keeper: number | null;
  /** Nobody wants to know any more. */
  isOver(): boolean;
  /** Called at each look. */
  seen(standing: Standing): void;
}

const everyMs = [1, 2, 2, 5, 5, 10, 10, 20, 50, 100, 200];
const everyMsMax = 1000;
/** Of about a second each. */
const roundsMax = everyMs.length + 10;

/** From wherever a run stands, until it runs; what has ended is looked at until whoever is told says that is enough. */
export async function followStart({ directory, boot, keeper, isOver, seen }: StartOptions): Promise<void> {
  for (let round = 0; !isOver(); round++) {
    const standing = standingOf(directory, boot);
    seen(standing);
    if (standing.kind === 'running') return;
    // A shim that could not even take it: nobody is to take it any more.
    if (standing.kind === 'unclaimed' && (isGone(keeper) || round > roundsMax)) giveUp(directory);
    await delay(everyMs[round] ?? everyMsMax, undefined, { ref: false });
  }
}

/** Proven; what cannot be read may live. */
function isGone(keeper: number | null): boolean {
  const row = keeper === null ? null : readRow(keeper);
  return isAbsent(row) && row.absent === 'gone';
}

function giveUp(directory: RunDirectory): void {
  try {
    directory.claim();
  } catch {
    // Tried again at the next look.
  }
}
