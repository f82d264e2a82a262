import { setTimeout as delay } from 'node:timers/promises';
import { isAbsent } from '../../model/facts/absence.js';
import { readRow } from '../../probe/processes.js';
import type { RunDirectory } from '../../store/run-directory.js';
import { type Standing, standingOf } from '../standing.js';

export interface StartOptions {
  directory: RunDirectory;
  /** Boot id of the machine when the run was started. */
  boot: string;
  /** The shim that this daemon just started for the run; null: another daemon started it. */
  shim: number | null;
  /** The result is no longer needed. */
  isOver(): boolean;
  /** Called at each poll. */
  seen(standing: Standing): void;
}

const everyMs = [1, 2, 2, 5, 5, 10, 10, 20, 50, 100, 200];
const everyMsMax = 1000;
/** The last rounds take about a second each. */
const roundsMax = everyMs.length + 10;

/** Polls the state of a run until it runs. An ended run is polled until `isOver` returns true. */
export async function followStart({ directory, boot, shim, isOver, seen }: StartOptions): Promise<void> {
  for (let round = 0; !isOver(); round++) {
    const standing = standingOf(directory, boot);
    seen(standing);
    if (standing.kind === 'running') return;
    // The shim has ended without claiming the run. The claim is made here, so that no other shim starts it.
    if (standing.kind === 'unclaimed' && (isGone(shim) || round > roundsMax)) giveUp(directory);
    await delay(everyMs[round] ?? everyMsMax, undefined, { ref: false });
  }
}

/** Proven: a shim that cannot be read may live. */
function isGone(shim: number | null): boolean {
  const row = shim === null ? null : readRow(shim);
  return isAbsent(row) && row.absent === 'gone';
}

function giveUp(directory: RunDirectory): void {
  try {
    directory.claim();
  } catch {
    // Tried again at the next poll.
  }
}
