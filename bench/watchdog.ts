import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { watch } from '../src/control/watchdog/watch.js';
import type { Watchdog } from '../src/model/watchdog.js';
import { withGuardedScratch } from './background-guard.js';
import { childrenOf } from './process-cost.js';
import { type Goal, ms, type Table } from './report.js';

const many = 500;
/** As it is by default. */
const defaultPollMs = 10_000;
/** So often here, or a measurement would take minutes. */
const pollIntervalMs = 100;
const corePercentMax = 0.5;
const bytesEachMax = 16 * 1024;

function ownCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

function heapBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

/** What so many watchdogs take together, per poll of all of them. */
async function costOf(
  pids: number[],
  forMs: number,
): Promise<{ pollMs: number; bytesEach: number; watchMs: number }> {
  const before = heapBytes();
  const beganMs = ownCpuMs();
  const watchdogs: Watchdog[] = pids.map((pid) => watch(pid, { pollIntervalMs, idleTimeoutMs: 3_600_000 }));
  const watchMs = ownCpuMs() - beganMs;
  const bytesEach = (heapBytes() - before) / pids.length;
  // The same program without them: what else it does is not theirs.
  const withMs = await cpuOver(forMs);
  for (const watchdog of watchdogs) watchdog.stop();
  const withoutMs = await cpuOver(forMs);
  return {
    pollMs: ((withMs - withoutMs) * pollIntervalMs) / forMs,
    bytesEach,
    watchMs: watchMs / pids.length,
  };
}

async function cpuOver(forMs: number): Promise<number> {
  const before = ownCpuMs();
  await delay(forMs);
  return ownCpuMs() - before;
}

/** A sign of life, as a loop over a stream of events gives it. */
function costOfActivity(pid: number, rounds: number): number {
  const watchdog = watch(pid, { idleTimeoutMs: 3_600_000 });
  for (let round = 0; round < rounds; round += 1) watchdog.activity();
  const beganMs = ownCpuMs();
  for (let round = 0; round < rounds; round += 1) watchdog.activity();
  const tookMs = ownCpuMs() - beganMs;
  watchdog.stop();
  return (tookMs / rounds) * 1e6;
}

/** All are silent for too long in the same moment. */
async function costOfEnding(pids: number[]): Promise<{ cpuMs: number; wallMs: number }> {
  const idleTimeoutMs = 1000;
  const watchdogs = pids.map((pid) => watch(pid, { pollIntervalMs, idleTimeoutMs }));
  await delay(idleTimeoutMs / 2);
  const before = ownCpuMs();
  const beganMs = performance.now();
  await Promise.all(watchdogs.map(({ done }) => done.catch(() => {})));
  return { cpuMs: ownCpuMs() - before, wallMs: performance.now() - beganMs - idleTimeoutMs / 2 };
}

/** What watchdogs cost the program that has them: one, 500, and 500 that fire at once. */
export function benchWatchdog(root: string, forMs: number): Promise<{ tables: Table[]; goals: Goal[] }> {
  return withGuardedScratch(root, async ({ mark }) => {
    const script = `i=0; while [ $i -lt ${many} ]; do sleep 600 & i=$((i+1)); done; wait`;
    const { pid = 0 } = spawn('sh', ['-c', script], { stdio: 'ignore', env: { ...process.env, ...mark } });
    while (childrenOf(pid).length < many) await delay(50);
    const pids = childrenOf(pid);
    // Loads what is loaded once.
    await costOf(pids.slice(0, 1), pollIntervalMs);
    const one = await costOf(pids.slice(0, 1), forMs);
    const all = await costOf(pids, forMs);
    const activityNs = costOfActivity(pids[0] ?? 0, 1_000_000);
    return report(one, all, activityNs, await costOfEnding(pids));
  });
}

type Cost = Awaited<ReturnType<typeof costOf>>;

function report(
  one: Cost,
  all: Cost,
  activityNs: number,
  ending: { cpuMs: number; wallMs: number },
): { tables: Table[]; goals: Goal[] } {
  const percent = (pollMs: number) => (pollMs / defaultPollMs) * 100;
  const row = (name: string, { watchMs, pollMs, bytesEach }: Cost) => [
    name,
    ms(watchMs),
    ms(pollMs),
    `${percent(pollMs).toFixed(4)} %`,
    `${(bytesEach / 1024).toFixed(1)} KiB`,
  ];
  const table = {
    title: 'Watchdogs',
    note: `Share of a core with a poll every ${defaultPollMs / 1000} s. One activity(): ${activityNs.toFixed(0)} ns. ${many} that fire at once: all ended after ${ms(ending.wallMs)}, with ${ms(ending.cpuMs)} of CPU.`,
    head: ['watchdogs', 'start of one', 'one poll of all', 'share of a core', 'heap of each'],
    rows: [row('1', one), row(String(many), all)],
  };
  const goals = [
    {
      what: `CPU of ${many} watchdogs`,
      target: `under ${corePercentMax} % of a core`,
      measured: `${percent(all.pollMs).toFixed(3)} %`,
      met: percent(all.pollMs) < corePercentMax,
    },
    {
      what: 'heap of one watchdog',
      target: `under ${bytesEachMax / 1024} KiB`,
      measured: `${(all.bytesEach / 1024).toFixed(1)} KiB`,
      met: all.bytesEach < bytesEachMax,
    },
  ];
  return { tables: [table], goals };
}
