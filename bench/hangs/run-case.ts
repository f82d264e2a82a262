import { setTimeout as delay } from 'node:timers/promises';
import { cpuMs } from '../process-cost.js';
import type { HangCase } from './hang-case.js';
import { alarmOf, findingOf, leftBehindOf, type UnstuckFinding } from './judges/unstuck.js';
import type { WayName } from './judges.js';
import { Panel, type WayFinding } from './panel.js';
import type { Scale } from './scale.js';
import { type Stage, withStage } from './stage.js';
import { Standstill } from './standstill.js';
import { signalAll, treeOf } from './tree.js';
import { UnstuckRun } from './unstuck-run.js';
import { writeHistory } from './write-history.js';

export interface CaseResult {
  case: HangCase;
  watchedMs: number;
  unstuck: UnstuckFinding & { costMs: number };
  ways: Partial<Record<WayName, WayFinding>>;
  /** The case did not do what it is about, so it says nothing about anybody; null: it did. */
  broken: string | null;
}

export interface Conditions {
  scale: Scale;
  ways: WayName[];
  withHistory: boolean;
  /** Where the cases have their directories. */
  parent: string;
  /** For the environment of all they start. */
  env: NodeJS.ProcessEnv;
}

/** Part of the way through, the machine sleeps. */
const pauseAtShare = 0.3;

/** Nobody runs and nobody judges, as when the lid is closed; the clock goes on. */
async function pause(supervisor: number, pauseMs: number): Promise<void> {
  const everybody = treeOf(supervisor);
  signalAll(everybody, 'SIGSTOP');
  try {
    await delay(pauseMs);
  } finally {
    signalAll(everybody.reverse(), 'SIGCONT');
  }
}

function costOf(pid: number | undefined, before: number): number {
  try {
    return pid === undefined ? before : cpuMs(pid);
  } catch {
    return before;
  }
}

async function watch(c: HangCase, conditions: Conditions, stage: Stage): Promise<CaseResult> {
  const { scale, ways, withHistory } = conditions;
  if (withHistory) writeHistory(c, scale, stage);
  const run = new UnstuckRun(c, scale, stage);
  const panel = new Panel(ways, scale);
  const standstill = new Standstill();
  let costMs = 0;
  let hasPaused = !c.pauses;
  const untilMs = c.label === 'stuck' || c.goesOn ? scale.hangMs : scale.watchMs;
  await run.started();
  while (!run.hasEnded && run.nowMs < untilMs) {
    await delay(scale.sampleMs);
    if (run.leader === null || run.hasEnded) break;
    if (!hasPaused && run.nowMs > scale.watchMs * pauseAtShare) {
      hasPaused = true;
      await pause(run.child.pid ?? -1, scale.pauseMs);
    }
    const { nowMs, lastOutputMs, tail } = run;
    const pids = treeOf(run.leader);
    panel.look({ nowMs, lastOutputMs, tail, pids });
    standstill.look(nowMs, pids);
    costMs = costOf(run.child.pid, costMs);
    if (c.label === 'stuck' && panel.hasSpoken && alarmOf(run.events) !== null) break;
  }
  const endedByItself = run.hasEnded;
  const watchedMs = run.nowMs;
  const report = await run.end();
  return {
    case: c,
    watchedMs,
    unstuck: {
      ...((c.ends ? leftBehindOf(run.events, report) : null) ?? findingOf(run.events, report)),
      costMs,
    },
    ways: Object.fromEntries(panel.findings),
    broken:
      stoodStill(c, standstill, scale) ??
      brokenBy(c, endedByItself ? (report?.exitCode ?? null) : 'running', watchedMs, run, scale),
  };
}

/** A healthy program that could not run did not do what it is about. */
function stoodStill({ label }: HangCase, { longestMs }: Standstill, { activityMs }: Scale): string | null {
  if (label === 'stuck' || longestMs < activityMs) return null;
  return `the file system stood still: for ${Math.round(longestMs)} ms`;
}

function brokenBy(
  c: HangCase,
  exitCode: number | 'running' | null,
  watchedMs: number,
  run: UnstuckRun,
  { silenceMs }: Scale,
): string | null {
  const said = (run.tail + run.stderr).trim().split('\n').at(-1)?.slice(0, 200) ?? '';
  if (run.leader === null) return `it did not start: ${said}`;
  if (c.ends) return null;
  const endedByItself = exitCode !== 'running';
  if (c.label === 'stuck' && endedByItself) return `it ended: ${said}`;
  if (endedByItself && watchedMs < silenceMs) return `it ended too soon: ${said}`;
  if (c.goesOn && exitCode !== 0) return `it did not go on by itself (${exitCode}): ${said}`;
  return null;
}

/** A case that nobody could judge. */
export function unplayed(c: HangCase, broken: string): CaseResult {
  return { case: c, watchedMs: 0, unstuck: { ...findingOf([], null), costMs: 0 }, ways: {}, broken };
}

/** One case with all its judges, and nothing of it left behind. */
export function runCase(c: HangCase, conditions: Conditions): Promise<CaseResult> {
  return withStage(c, conditions.scale, conditions, (stage) => watch(c, conditions, stage));
}
