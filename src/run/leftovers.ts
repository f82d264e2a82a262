import { setTimeout as delay } from 'node:timers/promises';
import type { RunReport } from '../model/run/run.js';
import type { Tree } from './health/tree.js';
import type { Journal } from './journal.js';
import type { Ending } from './stop/ending.js';

/** Processes that the command started may need a moment to end after it. */
const patienceMs = 300;
const pollEveryMs = 20;
const namedMax = 5;

export interface LeftoversOptions {
  /** They are stopped. Otherwise they are reported. */
  stops: boolean;
  /** The grace that is left of an order to stop the run; null: no such order is open. */
  orderedMs: number | null;
  /** Their later output reaches no reader. */
  losesOutput: boolean;
  ending: Ending;
  journal: Journal;
}

/** Finds the processes of the tree that outlive the command. Returns those that are left in the end. */
export async function handleLeftovers(
  tree: Tree,
  { stops, orderedMs, losesOutput, ending, journal }: LeftoversOptions,
): Promise<RunReport['leftBehind']> {
  const untilMs = performance.now() + patienceMs;
  let left = await tree.leftovers();
  while (left !== null && left.length > 0 && performance.now() < untilMs) {
    await delay(pollEveryMs);
    left = await tree.leftovers();
  }
  // An open order needs a receipt even if nothing is left.
  if (orderedMs === null && (left === null ? !stops : left.length === 0)) return [];
  if (stops) {
    await ending.stopRest(tree, 'it outlived the command', orderedMs ?? undefined);
    left = await tree.leftovers();
  }
  const named = left ?? [];
  if (named.length > 0) journal.warn(warning(named, stops, losesOutput));
  return named;
}

function warning(left: RunReport['leftBehind'], stopped: boolean, losesOutput: boolean): string {
  const names = left.slice(0, namedMax).map(({ pid, command }) => `${command.slice(0, 60)} (${pid})`);
  const more = left.length > namedMax ? ` and ${left.length - namedMax} more` : '';
  if (stopped) return `could not be stopped: ${names.join(', ')}${more}`;
  const loss = losesOutput ? 'their later output is not passed on; ' : '';
  return `the command has ended, but left running: ${names.join(', ')}${more} (${loss}--leftovers kill stops them)`;
}
