import type { Receipt } from '../../model/receipt.js';
import type { RunDirectory } from '../../store/run-directory.js';
import { newKillOrder, readKillOrder } from './kill-order.js';
import type { RunEnd } from './run-end.js';
import type { RunWatch } from './run-watch.js';
import { stopLeftovers } from './stop-leftovers.js';

/** What a kill needs of a run. */
export interface Killable {
  id: string;
  directory: RunDirectory;
  watch: Pick<RunWatch, 'started' | 'settled' | 'kill'>;
  /** null: it has not ended. */
  end(): RunEnd | null;
  /** Resolves when it has ended, or after the given time. */
  untilEnded(ms: number): Promise<void>;
}

export interface KillWish {
  requestId: string;
  graceMs: number;
}

/** How long to wait for the end of a tree that was killed, besides its grace. */
const endAfterKillMs = 2000;

/** Stops a run with everything it started; null: nothing was left to stop. */
export async function killRun(
  { id, directory, watch, end, untilEnded }: Killable,
  { requestId, graceMs }: KillWish,
): Promise<{ receipt: Receipt | null } | null> {
  await watch.started();
  const waitMs = graceMs + endAfterKillMs;
  if (readKillOrder(directory)?.requestId === requestId) {
    // Asked again, as the daemon was killed meanwhile, it is no second wish: the first one is being carried out.
    await watch.settled();
    await untilEnded(waitMs);
    const receipt = readKillOrder(directory)?.receipt ?? null;
    if (receipt !== null) return { receipt };
  }
  const ended = end();
  if (ended !== null) {
    const receipt = await stopLeftovers(id, ended.standing, graceMs);
    return receipt === null || receipt.processes.length === 0 ? null : { receipt };
  }
  await watch.kill(newKillOrder({ requestId, outcome: 'interrupted', graceMs }));
  await untilEnded(waitMs);
  return { receipt: readKillOrder(directory)?.receipt ?? null };
}
