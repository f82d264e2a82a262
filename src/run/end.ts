import { setTimeout as delay } from 'node:timers/promises';
import { etaErrorOf } from '../diagnose/history/estimate.js';
import type { Exit, RunReport } from '../model/run/run.js';
import type { Tree } from './health/tree.js';
import { countLines } from './history/count-lines.js';
import { pastRun } from './history/run-history.js';
import { handleLeftovers } from './leftovers.js';
import type { RunParts } from './parts.js';
import type { EndFacts, ReportSubject } from './report/compose.js';
import type { Ending } from './stop/ending.js';
import type { KillOrder } from './stop/kill-order.js';

/** A run whose command has ended. */
export interface Leaving {
  parts: RunParts;
  exit: Exit;
  ending: Ending;
  /** null: nothing can be read about the command, or nothing of it can be left. */
  tree: Tree | null;
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
  const { parts, isDetached, unread } = leaving;
  while (!isDetached()) {
    try {
      return await leaveOnce(leaving);
    } catch (error) {
      if (!parts.manner.isPatient) throw error;
      unread((error as Error).message);
      await delay(againMs, undefined, { ref: false });
    }
  }
  return null;
}

async function leaveOnce(leaving: Leaving): Promise<Left> {
  const { exit, ending } = leaving;
  const { manner, orders } = leaving.parts;
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
  const { parts, ending } = leaving;
  // A command that was stopped or interrupted leaves nothing behind.
  const stops = parts.settings.leftovers === 'kill' || ending.outcome !== 'exited' || order !== null;
  if (!stops) await drain(leaving);
  const left = await leftoversOf(leaving, stops, order);
  if (stops) await drain(leaving);
  return left;
}

async function leftoversOf(leaving: Leaving, stops: boolean, order: KillOrder | null): Promise<LeftBehind> {
  const { tree, ending, mayHaveLeft } = leaving;
  const { journal, orders, manner } = leaving.parts;
  if (tree === null || (order === null && !mayHaveLeft())) return [];
  const orderedMs = order === null ? null : (orders?.resume(order) ?? null);
  const left = await handleLeftovers(tree, {
    stops,
    orderedMs,
    losesOutput: manner.passesOn,
    ending,
    journal,
  });
  if (order !== null && ending.receipt !== null) orders?.carriedOut(ending.receipt);
  return left;
}

/** Takes in everything the command printed. Other processes that hold its output open get only a short wait. */
async function drain({ parts, ending, tree }: Leaving): Promise<void> {
  const { manner, settings, shim } = parts;
  const hurried = ending.hurried.then(() => 'hurried' as const);
  for (;;) {
    const first = await Promise.race([shim.drained(settings.lingerMs), hurried]);
    if (first === true) return manner.takeLast(true);
    if (first === 'hurried' || (await manner.isHeld(tree))) return manner.takeLast(false);
  }
}

/**
 * The last steps: the run is added to the history of its command, the report is stored, and the end is the last event.
 * In this order, so that a run whose supervisor is killed in between is found again; the history knows it by its id.
 */
export async function conclude(
  report: RunReport,
  { manner, journal, history, directory, logs }: RunParts,
  monitor: ReportSubject['monitor'],
): Promise<void> {
  const { phases = [], promised = [] } = monitor ?? {};
  const lines = countLines(directory, logs);
  history.add(
    pastRun(report, { lines, phases: [...phases], etaError: etaErrorOf(promised, report.elapsedMs) }),
  );
  await manner.keep(report);
  const { outcome, exit, exitCode, elapsedMs, attempts, flaky } = report;
  journal.report({
    kind: 'exited',
    outcome,
    exit,
    exitCode,
    elapsedMs,
    ...(attempts !== undefined && { attempt: attempts.length + 1 }),
    ...(flaky && { flaky }),
  });
}

/** Stores the report with the run. */
export function keepReport(
  { directory, journal }: Pick<RunParts, 'directory' | 'journal'>,
  report: RunReport,
): void {
  try {
    directory?.writeReport(report);
  } catch (error) {
    journal.warn(`cannot save the report: ${(error as Error).message}`);
  }
}
