import { setTimeout as delay } from 'node:timers/promises';
import type { RunReport } from '../model/run/run.js';
import type { MemberScan } from '../probe/members.js';
import { commandLineOf } from '../probe/processes.js';
import type { Journal } from './journal.js';
import type { Ending } from './stop/ending.js';

/** Processes that the command started may need a moment to end after it. */
const patienceMs = 300;
const pollEveryMs = 20;
const namedMax = 5;

interface Behind {
  stopsRest: boolean;
  ending: Ending;
  journal: Journal;
}

/** Finds processes of the tree that outlive the command. They are stopped if requested, otherwise reported. */
export async function lookBehind(
  scan: MemberScan,
  { stopsRest, ending, journal }: Behind,
): Promise<RunReport['leftBehind']> {
  const untilMs = performance.now() + patienceMs;
  let left = scan.scan({ fresh: true });
  while (left.length > 0 && performance.now() < untilMs) {
    await delay(pollEveryMs);
    left = scan.scan({ fresh: true });
  }
  if (left.length === 0) return [];
  if (stopsRest) {
    await ending.stopRest(scan, 'it outlived the command');
    left = scan.scan({ fresh: true });
  }
  const named = left.map(({ pid }) => ({ pid, command: commandLineOf(pid) ?? `process ${pid}` }));
  if (named.length > 0) journal.warn(warning(named, stopsRest));
  return named;
}

function warning(left: RunReport['leftBehind'], stopped: boolean): string {
  const names = left.slice(0, namedMax).map(({ pid, command }) => `${command.slice(0, 60)} (${pid})`);
  const more = left.length > namedMax ? ` and ${left.length - namedMax} more` : '';
  return stopped
    ? `could not be stopped: ${names.join(', ')}${more}`
    : `the command has ended, but left running: ${names.join(', ')}${more} (later output of these is not passed on; --leftovers kill stops such)`;
}
