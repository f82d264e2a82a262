import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../model/failure.js';
import type { Receipt } from '../model/run/receipt.js';
import type { Run, ShimReports } from '../run/run.js';
import { isOver } from '../run/state.js';
import type { KillOrders } from '../run/stop/kill-order.js';
import { terminate } from '../run/stop/terminate.js';

/** The part of a run that a kill needs. */
export interface Killable {
  id: string;
  run: Run;
  orders: KillOrders;
  shim: ShimReports;
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
  killable: Killable,
  { requestId, graceMs }: KillWish,
): Promise<{ receipt: Receipt | null } | null> {
  const { id, run, orders, untilEnded } = killable;
  await startedOrUnreadable(run);
  const waitMs = graceMs + endAfterKillMs;
  if (orders.read()?.requestId === requestId) {
    // A repeated request, after the daemon was killed, is no second order. The first order is being carried out.
    await settled(run);
    await untilEnded(waitMs);
    const receipt = orders.read()?.receipt ?? null;
    if (receipt !== null) return { receipt };
  }
  // The command has ended by itself. What it left is stopped after the end is known.
  if (isOver(run.state)) await untilEnded(run.settings.lingerMs + waitMs);
  if (run.state.kind === 'ended') return stopLeftovers(killable, graceMs);
  const order = { requestId, outcome: 'interrupted', graceMs, askedMs: null, receipt: null } as const;
  const killed = run.kill(order).then(() => true);
  if (!(await Promise.race([killed, delay(graceMs + provenMsMax, false, { ref: false })]))) {
    throw notProven(id);
  }
  await untilEnded(waitMs);
  return { receipt: orders.read()?.receipt ?? null };
}

/** Resolves when no stop is in progress, or after the longest time that a stop of readable processes takes. */
export function settled({ ending, settings }: Run): Promise<void> {
  const late = delay(settings.graceMs + provenMsMax, undefined, { ref: false });
  return Promise.race([ending.settled, late]);
}

/** Stops what outlived an ended command. */
async function stopLeftovers(
  { id, run, shim }: Killable,
  graceMs: number,
): Promise<{ receipt: Receipt } | null> {
  const tree = run.state.kind === 'ended' ? shim.treeOf(run.state) : null;
  if (tree === null) return null;
  const receipt = await terminate({ scan: tree.scan, signal: 'SIGTERM', graceMs });
  if (receipt.processes.length > 0) return { receipt };
  if (!receipt.whole) throw notProven(id);
  return null;
}

/** A run whose state cannot be read is not signalled. */
async function startedOrUnreadable(run: Run): Promise<void> {
  const started = run.tree.then(() => true);
  for (let isStarted = false; !isStarted; ) {
    isStarted = await Promise.race([started, delay(unreadableMsMax, false, { ref: false })]);
    const { state } = run;
    if (isStarted || state.kind !== 'unknown') continue;
    throw new Failure(
      'cannot-read',
      `the run cannot be stopped, as it cannot be read how far it has come: ${state.reason}`,
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
