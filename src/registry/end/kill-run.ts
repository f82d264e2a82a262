import { setTimeout as delay } from 'node:timers/promises';
import { knownValue } from '../../model/facts/reading.js';
import { Failure } from '../../model/failure.js';
import type { Receipt } from '../../model/run/receipt.js';
import type { RunDirectory } from '../../store/run-directory.js';
import type { RunMonitor } from '../monitor/run-monitor.js';
import { newKillOrder, readKillOrder } from './kill-order.js';
import type { RunEnd } from './run-end.js';
import { stopLeftovers } from './stop-leftovers.js';

/** The part of a run that a kill needs. */
export interface Killable {
  id: string;
  directory: RunDirectory;
  watch: Pick<RunMonitor, 'started' | 'settled' | 'kill' | 'unreadable'>;
  /** null: the run has not ended. */
  end(): RunEnd | null;
  /** Resolves when the run has ended, or after the given time. */
  untilEnded(ms: number): Promise<void>;
}

export interface KillWish {
  requestId: string;
  graceMs: number;
}

/** How long to wait for the end of a killed tree, in addition to its grace. */
const endAfterKillMs = 2000;
/** In addition to the grace. Within this time a readable tree is stopped, or known to survive. */
const provenMsMax = 15_000;
const unreadableMsMax = 5000;

/** Stops a run with everything it started; null: nothing was left to stop. */
export async function killRun(
  { id, directory, watch, end, untilEnded }: Killable,
  { requestId, graceMs }: KillWish,
): Promise<{ receipt: Receipt | null } | null> {
  await startedOrUnreadable(watch);
  const waitMs = graceMs + endAfterKillMs;
  const orderNow = () => knownValue(readKillOrder(directory), 'whether it is to be stopped');
  if (orderNow()?.requestId === requestId) {
    // A repeated request, after the daemon was killed, is no second order. The first order is being carried out.
    await watch.settled();
    await untilEnded(waitMs);
    const receipt = orderNow()?.receipt ?? null;
    if (receipt !== null) return { receipt };
  }
  const ended = end();
  if (ended !== null) {
    const receipt = await stopLeftovers(id, ended.standing, graceMs);
    if (receipt !== null && !receipt.whole && receipt.processes.length === 0) throw notProven(id);
    return receipt === null || receipt.processes.length === 0 ? null : { receipt };
  }
  const killed = watch.kill(newKillOrder({ requestId, outcome: 'interrupted', graceMs }));
  const isDone = await Promise.race([
    killed.then(() => true),
    delay(graceMs + provenMsMax, false, { ref: false }),
  ]);
  if (!isDone) throw notProven(id);
  await untilEnded(waitMs);
  return { receipt: orderNow()?.receipt ?? null };
}

/** A run whose state cannot be read is not signalled. */
async function startedOrUnreadable(watch: Killable['watch']): Promise<void> {
  const started = watch.started().then(() => true);
  for (let isStarted = false; !isStarted; ) {
    isStarted = await Promise.race([started, delay(unreadableMsMax, false, { ref: false })]);
    if (isStarted || watch.unreadable === null) continue;
    throw new Failure(
      'cannot-read',
      `the run cannot be stopped, as it cannot be read how far it has come: ${watch.unreadable}`,
      'try again in a moment',
    );
  }
}

function notProven(id: string): Failure {
  return new Failure(
    'cannot-read',
    `not every process can be read, so it is not proven that ${id} is stopped`,
    'the daemon goes on trying; see: unstuck ps, and try again in a moment',
  );
}
