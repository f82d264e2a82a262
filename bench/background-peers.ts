import {
  type Basics,
  type BasicsOptions,
  busyPercent,
  commandMs,
  measureBasics,
  percent,
} from './background-basics.js';
import { type Fleet, UnstuckFleet } from './background-fleet.js';
import type { GuardedScratch } from './background-guard.js';
import { installPm2, Pm2Fleet, pm2Version } from './background-pm2.js';
import { read } from './process-cost.js';
import { type Goal, ms, type Table, times } from './report.js';

/** How long a new daemon gets to find what the one before has started. */
const findMs = 3000;

/** So many are watched while they do nothing, before the others start. */
const idleRuns = 30;
const residentMiBMax = 60;
const startRatioMin = 1.5;

interface Side extends Basics {
  /** Of a core, with `idleRuns` that do nothing. */
  fewIdlePercent: number;
  /** After SIGKILL of the daemon: those that still run, and those of them that a new daemon knows. */
  alive: number;
  known: number;
}

async function measureSide(fleet: Fleet, options: BasicsOptions): Promise<Side> {
  const idle = Math.min(idleRuns, options.runs - 2);
  await fleet.start(options.command, idle, 1);
  const fewIdlePercent = await busyPercent(fleet, options.windowMs);
  const basics = await measureBasics(fleet, { ...options, runs: options.runs - idle });
  const { pids } = await fleet.list();
  const found = new Set((await fleet.replaceDaemon(options.runs, findMs)).pids);
  const alive = pids.filter((pid) => read(`/proc/${pid}/cmdline`) !== '');
  return {
    ...basics,
    fewIdlePercent,
    alive: alive.length,
    known: alive.filter((pid) => found.has(pid)).length,
  };
}

const mebibytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

type Row = [
  what: string,
  of: (side: Side) => number,
  show: (value: number) => string,
  better: 'less' | 'more',
];

const rows: Row[] = [
  ['start, one after the other', (side) => side.startPerS, (value) => `${value.toFixed(0)} a second`, 'more'],
  ['start, many at once', (side) => side.startManyPerS, (value) => `${value.toFixed(0)} a second`, 'more'],
  ['CPU of the daemon for a start', (side) => side.startCpuMs, ms, 'less'],
  ['list, connection kept', (side) => side.listMs, ms, 'less'],
  ['list as a command', commandMs, ms, 'less'],
  ['daemon, resident', (side) => side.residentBytes, mebibytes, 'less'],
  [`daemon, CPU with ${idleRuns} that do nothing`, (side) => side.fewIdlePercent, percent, 'less'],
  ['daemon, CPU with all, which do nothing', (side) => side.idlePercent, percent, 'less'],
];

/** The same things asked of Unstuck and of PM2, one after the other. */
export async function sideBySide(
  root: string,
  scratch: GuardedScratch,
  options: BasicsOptions,
): Promise<{ table: Table; goals: Goal[] }> {
  const ours = await measureSide(await UnstuckFleet.open(root, scratch, 'few'), options);
  const theirs = await measurePm2(scratch, options);
  const survivors = (side: Side | string) =>
    typeof side === 'string' ? '' : `${side.alive} run, ${side.known} known`;
  const table = {
    title: `${options.runs} runs, and the same with PM2 ${pm2Version}`,
    note:
      typeof theirs !== 'string'
        ? 'Ratio above 1: Unstuck is better. "Many at once": 16 requests for Unstuck, one request with all of them for PM2. PM2 does not look whether they are stuck.'
        : `Without PM2: ${theirs}.`,
    head: ['', 'Unstuck', 'PM2', 'ratio'],
    rows: [
      ...rows.map(([what, of, show, better]) => {
        if (typeof theirs === 'string') return [what, show(of(ours)), '', ''];
        const ratio = better === 'less' ? of(theirs) / of(ours) : of(ours) / of(theirs);
        return [what, show(of(ours)), show(of(theirs)), times(ratio, 2)];
      }),
      ['after SIGKILL of the daemon', survivors(ours), survivors(theirs), ''],
    ],
  };
  return { table, goals: typeof theirs === 'string' ? [] : goalsOf(ours, theirs, options.runs) };
}

function goalsOf(ours: Side, theirs: Side, runs: number): Goal[] {
  const ahead = (what: string, ratio: number, least: number): Goal => ({
    what: `against PM2: ${what}`,
    target: `at least ${times(least)}`,
    measured: times(ratio, 2),
    met: ratio >= least,
  });
  return [
    ahead('starts, one after the other', ours.startPerS / theirs.startPerS, startRatioMin),
    ahead('starts, many at once', ours.startManyPerS / theirs.startManyPerS, startRatioMin),
    ahead(`CPU with ${idleRuns} idle runs`, theirs.fewIdlePercent / ours.fewIdlePercent, 1),
    {
      what: `daemon with ${runs} runs, resident`,
      target: `under ${residentMiBMax} MiB`,
      measured: mebibytes(ours.residentBytes),
      met: ours.residentBytes < residentMiBMax * 2 ** 20,
    },
  ];
}

/** A string instead: why not. */
async function measurePm2(scratch: GuardedScratch, options: BasicsOptions): Promise<Side | string> {
  const reason = await installPm2(scratch);
  if (reason !== null) return reason;
  try {
    return await measureSide(await Pm2Fleet.open(scratch), options);
  } catch (error) {
    return (error as Error).message;
  }
}
