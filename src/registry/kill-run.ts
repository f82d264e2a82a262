import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../model/failure.js';
import type { Receipt } from '../model/run/receipt.js';
import type { Run } from '../run/run.js';
import { commandOf, isOver } from '../run/state.js';
import type { KillOrders } from '../run/stop/kill-order.js';

export interface KillOptions {
  orders: KillOrders;
  requestId: string;
  graceMs: number;
  /** Resolves when the run has ended, or after the given time. */
  untilEnded(ms: number): Promise<void>;
}

/** How long to wait for the end of a killed tree, in addition to its grace. */
const endAfterKillMs = 2000;
/** In addition to the grace. A tree that cannot be read for this time is not proven to be stopped. */
const provenMsMax = 15_000;
const unreadableMsMax = 5000;
const checkEveryMs = 500;

/** Stops a run with everything it started; null: nothing was left to stop. */
export async function killRun(
  run: Run,
  { orders, requestId, graceMs, untilEnded }: KillOptions,
): Promise<{ receipt: Receipt | null } | null> {
  await startedOrUnreadable(run);
  const waitMs = graceMs + endAfterKillMs;
  if (orders.read()?.requestId === requestId) {
    // A repeated request, after the daemon was killed, is not a second order. The first order is being carried out.
    await settled(run);
    await untilEnded(waitMs);
    const receipt = orders.read()?.receipt ?? null;
    if (receipt !== null) return { receipt };
  }
  if (isOver(run.state)) {
    const stopped = await stopLeftovers(run, graceMs);
    await untilEnded(waitMs);
    return stopped;
  }
  const order = { requestId, outcome: 'interrupted', graceMs, askedMs: null, receipt: null } as const;
  if (!(await isProven(run, run.kill(order), graceMs + provenMsMax))) throw notProven(run);
  await untilEnded(waitMs);
  return { receipt: orders.read()?.receipt ?? null };
}

/**
 * false: for a long time not every process could be read, or the place of the run did not answer. The time that a busy daemon
 * takes does not count.
 */
async function isProven(run: Run, killing: Promise<void>, unreadMsMax: number): Promise<boolean> {
  const beginMs = performance.now();
  const killed = killing.then(() => true);
  const isElsewhere = (await run.tree)?.scan === null;
  for (;;) {
    if (await Promise.race([killed, delay(checkEveryMs, false, { ref: false })])) return true;
    const sinceMs = isElsewhere ? beginMs : run.ending.unreadSinceMs;
    if (sinceMs !== null && performance.now() - sinceMs > unreadMsMax) return false;
  }
}

/** Resolves when no stop is in progress, or after the longest time that a stop of readable processes takes. */
export function settled({ ending, parts }: Run): Promise<void> {
  const late = delay(parts.settings.graceMs + provenMsMax, undefined, { ref: false });
  return Promise.race([ending.settled, late]);
}

/** Stops what outlived an ended command. */
async function stopLeftovers(run: Run, graceMs: number): Promise<{ receipt: Receipt } | null> {
  const tree = run.parts.shim.treeOf(commandOf(run.state));
  if (tree === null) return null;
  const receipt = await tree.stop({ graceMs });
  if (receipt.processes.length > 0) return { receipt };
  if (!receipt.whole) throw notProven(run);
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
      `the run cannot be stopped, because its state cannot be read: ${state.reason}`,
      'try again in a moment',
    );
  }
}

function notProven({ parts, state }: Run): Failure {
  if (state.kind === 'unknown') {
    return new Failure(
      'cannot-read',
      `it is not proven that ${parts.about.id} is stopped: ${state.reason}`,
      'the order to stop it is stored, and is carried out as soon as possible; see: unstuck ps',
    );
  }
  return new Failure(
    'cannot-read',
    `not every process can be read, so it is not proven that ${parts.about.id} is stopped`,
    'the daemon goes on trying; see: unstuck ps, and try again in a moment',
  );
}
