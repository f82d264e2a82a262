import { setTimeout as delay } from 'node:timers/promises';
import type { RunSettings } from '../config/run-settings.js';
import type { Exit, RunReport } from '../model/run/run.js';
import type { RunDirectory } from '../store/run-directory.js';
import type { Tree } from './health/tree.js';
import type { Journal } from './journal.js';
import { handleLeftovers } from './leftovers.js';
import type { EndFacts } from './report/compose.js';
import type { Ending } from './stop/ending.js';
import type { KillOrder, KillOrders } from './stop/kill-order.js';

/** What differs at the end of runs in the foreground and in the background. */
export interface EndManner {
  /** Whether other processes hold the output open. If none does, the shim is only slow. */
  isHeld(tree: Tree | null): boolean;
  /** Takes in the last output. `isAll`: nothing more comes. */
  takeLast(isAll: boolean): Promise<void> | void;
  /** Throws when the facts cannot be read now. */
  endFacts(exit: Exit): Omit<EndFacts, 'exit' | 'leftBehind'>;
  /** Facts that cannot be read are tried again, for as long as it takes. */
  isPatient: boolean;
  /** An earlier process has handled the end and knew more about it. Throws when that cannot be read now. */
  isReported(): boolean;
  /** Decides what stays on disk, and writes the reports. */
  keep(report: RunReport): Promise<void> | void;
}

export interface Leaving {
  manner: EndManner;
  exit: Exit;
  settings: RunSettings;
  journal: Journal;
  ending: Ending;
  orders: KillOrders | null;
  /** null: nothing can be read about the command, or nothing of it can be left. */
  tree: Tree | null;
  /** Whether all output is in the log; false: not after the given time. */
  drained(ms: number): Promise<boolean>;
  /** false: provably no process of the run is left. */
  mayHaveLeft(): boolean;
  isDetached(): boolean;
  unread(reason: string): void;
}

const againMs = 1000;

type LeftBehind = RunReport['leftBehind'];

export interface Left {
  facts: EndFacts;
  isReported: boolean;
}

/** Takes in the last output of an ended command and handles what it left behind; null: detached meanwhile. */
export async function leave(leaving: Leaving): Promise<Left | null> {
  const { manner, isDetached, unread } = leaving;
  while (!isDetached()) {
    try {
      return await leaveOnce(leaving);
    } catch (error) {
      if (!manner.isPatient) throw error;
      unread((error as Error).message);
      await delay(againMs, undefined, { ref: false });
    }
  }
  return null;
}

async function leaveOnce(leaving: Leaving): Promise<Left> {
  const { manner, exit, orders, ending } = leaving;
  const order = orders?.read() ?? null;
  // An earlier daemon may have stopped it.
  ending.outcome = order?.outcome ?? ending.outcome;
  const open = order?.receipt === null ? order : null;
  const isReported = manner.isReported();
  const isDone = isReported && open === null;
  if (isDone) await manner.takeLast(false);
  const leftBehind = isDone ? [] : await outputAndLeftovers(leaving, open);
  return { facts: { ...manner.endFacts(exit), exit, leftBehind }, isReported };
}

/** `order`: to stop the run, and not carried out yet. */
async function outputAndLeftovers(leaving: Leaving, order: KillOrder | null): Promise<LeftBehind> {
  const { settings, ending } = leaving;
  // A command that was stopped or interrupted leaves nothing behind.
  const stops = settings.leftovers === 'kill' || ending.outcome !== 'exited' || order !== null;
  if (!stops) await drain(leaving);
  const left = await leftoversOf(leaving, stops, order);
  if (stops) await drain(leaving);
  return left;
}

async function leftoversOf(leaving: Leaving, stops: boolean, order: KillOrder | null): Promise<LeftBehind> {
  const { tree, ending, journal, orders, mayHaveLeft } = leaving;
  if (tree === null || (order === null && !mayHaveLeft())) return [];
  const orderedMs = order === null ? null : (orders?.resume(order) ?? null);
  const left = await handleLeftovers(tree, { stops, orderedMs, ending, journal });
  if (order !== null && ending.receipt !== null) orders?.carriedOut(ending.receipt);
  return left;
}

/** Takes in everything the command printed. Other processes that hold its output open get only a short wait. */
async function drain({ manner, settings, ending, tree, drained }: Leaving): Promise<void> {
  const hurried = ending.hurried.then(() => 'hurried' as const);
  for (;;) {
    const first = await Promise.race([drained(settings.lingerMs), hurried]);
    if (first === true) return manner.takeLast(true);
    if (first === 'hurried' || manner.isHeld(tree)) return manner.takeLast(false);
  }
}

/** The last steps: the report is stored, and the end is the last event. */
export async function conclude(
  report: RunReport,
  { manner, journal }: { manner: EndManner; journal: Journal },
): Promise<void> {
  await manner.keep(report);
  const { outcome, exit, exitCode, elapsedMs } = report;
  journal.report({ kind: 'exited', outcome, exit, exitCode, elapsedMs });
}

/** Stores the report with the run. */
export function keepReport(
  { directory, journal }: { directory: RunDirectory | null; journal: Journal },
  report: RunReport,
): void {
  try {
    directory?.writeReport(report);
  } catch (error) {
    journal.warn(`cannot save the report: ${(error as Error).message}`);
  }
}
