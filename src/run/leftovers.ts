import { setTimeout as delay } from 'node:timers/promises';
import type { RunReport } from '../model/run/run.js';
import { commandLineOf } from '../probe/processes.js';
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
  { scan }: Tree,
  { stops, orderedMs, losesOutput, ending, journal }: LeftoversOptions,
): Promise<RunReport['leftBehind']> {
  const untilMs = performance.now() + patienceMs;
  let left = scan.scan({ fresh: true });
  while (left.length > 0 && performance.now() < untilMs) {
    await delay(pollEveryMs);
    left = scan.scan({ fresh: true });
  }
  // An open order needs a receipt even if nothing is left.
  if (left.length === 0 && orderedMs === null && (scan.isWhole || !stops)) return [];
  if (stops) {
    await ending.stopRest(scan, 'it outlived the command', orderedMs ?? undefined);
    left = scan.scan({ fresh: true });
  }
  const named = left.map(({ pid }) => ({ pid, command: commandLineOf(pid) ?? `process ${pid}` }));
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
