import { setTimeout as delay } from 'node:timers/promises';
import { type Basics, busyPercent, commandMs, measureBasics, percent } from './background-basics.js';
import { UnstuckFleet } from './background-fleet.js';
import { type GuardedScratch, withGuardedScratch } from './background-guard.js';
import { sideBySide } from './background-peers.js';
import { mean, timing } from './measure.js';
import { cpuMs, memoryOf, shimProcesses } from './process-cost.js';
import { describeLoad, type Goal, ms, type Table } from './report.js';

interface Size {
  runs: number;
  /** For the first minute, and for each part of the steady state. */
  windowMs: number;
  windows: number;
  adoptions: number;
  /** So many for each when PM2 does the same. */
  peerRuns: number;
}

const full: Size = { runs: 1000, windowMs: 60_000, windows: 3, adoptions: 5, peerRuns: 100 };
const quick: Size = { runs: 100, windowMs: 15_000, windows: 1, adoptions: 3, peerRuns: 60 };

const steadyPercentMax = 0.3;
const firstPercentMax = 2;
const startCpuMsMax = 3;
const listMsMax = 50;
const adoptionMsMax = 3000;

/** Whatever happens to us, they end by themselves. */
const silent = ['sleep', '3000'];
const talkative = ['sh', '-c', 'i=0; while [ $i -lt 3000 ]; do echo "line $i"; sleep 1; i=$((i+1)); done'];
const talkativeShare = 0.1;
const sampledShims = 50;

interface Many {
  basics: Basics;
  firstPercent: number;
  steadyPercent: number;
  talkingPercent: number;
  killMs: number;
  killed: number;
  shimPrivateBytes: number;
  shimProcesses: number;
  adoptionMs: number[];
  adoptionCpuMs: number[];
  /** Those that were there before and after. */
  adopted: number;
}

const kibibytes = (bytes: number) => `${Math.round(bytes / 1024)} KiB`;
const mebibytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

/** It takes minutes: what is going on, for whoever waits. */
const tell = (what: string) => console.error(`background: ${what}, load ${describeLoad()}`);

async function steadyPercent(fleet: UnstuckFleet, { windows, windowMs }: Size): Promise<number> {
  const all: number[] = [];
  for (let window = 0; window < windows; window += 1) all.push(await busyPercent(fleet, windowMs));
  return timing(all).medianMs;
}

/** A tenth of the silent ones is stopped, so that as many that print can take their place. */
async function makeTalk(fleet: UnstuckFleet, size: Size): Promise<{ killMs: number; killed: number }> {
  const beganMs = performance.now();
  const { runs } = await fleet.call('killAll', { task: 'tenth' });
  const killMs = performance.now() - beganMs;
  await fleet.start(talkative, runs.length, 16);
  if (runs.length !== size.runs * talkativeShare) throw new Error(`${runs.length} were stopped`);
  return { killMs, killed: runs.length };
}

async function adopt(fleet: UnstuckFleet, { runs, adoptions }: Size) {
  tell('killing the daemon');
  const adoptionMs: number[] = [];
  const adoptionCpuMs: number[] = [];
  const before = new Set((await fleet.list()).pids);
  let adopted = 0;
  for (let round = 0; round < adoptions; round += 1) {
    const { tookMs, pids } = await fleet.replaceDaemon(runs, 10 * adoptionMsMax);
    adoptionMs.push(tookMs);
    adoptionCpuMs.push(cpuMs(fleet.daemonPid));
    adopted = pids.filter((pid) => before.has(pid)).length;
    await delay(2000);
  }
  return { adoptionMs, adoptionCpuMs, adopted };
}

async function measureMany(root: string, scratch: GuardedScratch, size: Size): Promise<Many> {
  tell(`starting ${size.runs}`);
  const fleet = await UnstuckFleet.open(root, scratch, 'many');
  const tenth = size.runs * talkativeShare;
  await fleet.start(silent, tenth, 1, 'tenth');
  const basics = await measureBasics(fleet, {
    command: silent,
    runs: size.runs - tenth,
    windowMs: size.windowMs,
  });
  tell('watching the steady state');
  const steady = await steadyPercent(fleet, size);
  const shims = (await fleet.shims()).slice(0, sampledShims).map(shimProcesses);
  const shimPrivateBytes = mean(shims.map((pids) => memoryOf(pids).privateBytes));
  tell('stopping a tenth');
  const { killMs, killed } = await makeTalk(fleet, size);
  await delay(size.windowMs / 3);
  return {
    basics,
    firstPercent: basics.idlePercent,
    steadyPercent: steady,
    talkingPercent: await busyPercent(fleet, size.windowMs),
    killMs,
    killed,
    shimPrivateBytes,
    shimProcesses: mean(shims.map((pids) => pids.length)),
    ...(await adopt(fleet, size)),
  };
}

function manyTable(many: Many, { runs, windowMs, windows, adoptions }: Size): Table {
  const { basics } = many;
  const adoption = timing(many.adoptionMs);
  const seconds = windowMs / 1000;
  return {
    title: `${runs} runs on one daemon`,
    note: `Silent ones (sleep). CPU time is the daemon's own. Load at the end: ${describeLoad()}.`,
    head: ['', 'measured'],
    rows: [
      ['start, one after the other', `${basics.startPerS.toFixed(0)} a second`],
      ['start, 16 at once', `${basics.startManyPerS.toFixed(0)} a second`],
      ['CPU of a start', ms(basics.startCpuMs)],
      [`CPU, the first ${seconds} s`, percent(many.firstPercent)],
      [`CPU, then (median of ${windows} x ${seconds} s)`, percent(many.steadyPercent)],
      [`CPU, ${many.killed} of them print a line every second`, percent(many.talkingPercent)],
      ['list, connection kept: median of 20 (min)', `${ms(basics.listMs)} (${ms(basics.listMsMin)})`],
      ['list, CPU', ms(basics.listCpuMs)],
      ['unstuck list --json, the whole command', ms(commandMs(basics))],
      ['daemon, resident', mebibytes(basics.residentBytes)],
      ['daemon, more for each run', kibibytes((basics.residentBytes - basics.emptyBytes) / runs)],
      [
        `shim of a run, private (${many.shimProcesses.toFixed(0)} processes)`,
        kibibytes(many.shimPrivateBytes),
      ],
      [
        `adoption after SIGKILL: median of ${adoptions} (max)`,
        `${ms(adoption.medianMs)} (${ms(Math.max(...many.adoptionMs))})`,
      ],
      ['adoption, CPU', ms(timing(many.adoptionCpuMs).medianMs)],
      ['the same processes before and after', `${many.adopted} of ${runs}`],
      [`killAll of ${many.killed} of them`, ms(many.killMs)],
    ],
  };
}

function goals(many: Many, runs: number): Goal[] {
  const { basics, steadyPercent, firstPercent, adoptionMs, adoptionCpuMs, adopted } = many;
  const adoption = timing(adoptionMs).medianMs;
  // On a busy machine most of the time is spent waiting for a CPU.
  const withCpu = (tookMs: number, ofCpuMs: number) => `${ms(tookMs)} (CPU ${ms(ofCpuMs)})`;
  const goal = (what: string, target: string, measured: string, met: boolean) => ({
    what: `${runs} runs: ${what}`,
    target,
    measured,
    met,
  });
  return [
    goal(
      'CPU, steady state',
      `under ${steadyPercentMax} % of a core`,
      percent(steadyPercent),
      steadyPercent < steadyPercentMax,
    ),
    goal(
      'CPU, at first',
      `under ${firstPercentMax} % of a core`,
      percent(firstPercent),
      firstPercent < firstPercentMax,
    ),
    goal(
      'CPU of a start',
      `under ${startCpuMsMax} ms`,
      ms(basics.startCpuMs),
      basics.startCpuMs < startCpuMsMax,
    ),
    goal(
      'list',
      `under ${listMsMax} ms`,
      withCpu(basics.listMs, basics.listCpuMs),
      basics.listMs < listMsMax,
    ),
    goal(
      'adoption',
      `under ${adoptionMsMax / 1000} s`,
      withCpu(adoption, timing(adoptionCpuMs).medianMs),
      adoption < adoptionMsMax && adopted === runs,
    ),
  ];
}

/** D, J: what a thousand runs in the background cost, and what PM2 does with some of them. */
export async function benchBackground(
  root: string,
  isQuick: boolean,
): Promise<{ tables: Table[]; goals: Goal[] }> {
  const size = isQuick ? quick : full;
  const { runs, peerRuns, windowMs } = size;
  const options = { command: silent, runs: peerRuns, windowMs };
  // One after the other: the first are gone before the next begin.
  const many = await withGuardedScratch(root, (scratch) => measureMany(root, scratch, size));
  tell('the same with PM2');
  const peers = await withGuardedScratch(root, (scratch) => sideBySide(root, scratch, options));
  return { tables: [manyTable(many, size), peers.table], goals: [...goals(many, runs), ...peers.goals] };
}
