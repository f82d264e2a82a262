import { setTimeout as delay } from 'node:timers/promises';
import type { Fleet } from './background-fleet.js';
import { timing } from './measure.js';
import { cpuMs, memoryOf } from './process-cost.js';
import { runToEnd } from './run-to-end.js';

const lists = 20;
const listCommands = 5;
const atOnce = 16;

/** What can be asked of any daemon that looks after commands. */
export interface Basics {
  startPerS: number;
  startManyPerS: number;
  /** Of the daemon, for one start. */
  startCpuMs: number;
  listMs: number;
  listMsMin: number;
  listCpuMs: number;
  listCommandMs: number[];
  emptyBytes: number;
  residentBytes: number;
  /** Of a core, with nothing to do but look after them: from the last start on. */
  idlePercent: number;
}

export interface BasicsOptions {
  command: string[];
  runs: number;
  windowMs: number;
}

export const percent = (value: number): string => `${value.toFixed(2)} %`;
export const commandMs = ({ listCommandMs }: Basics): number => timing(listCommandMs).medianMs;

/** What the daemon takes of a core when nobody asks it anything. */
export async function busyPercent(fleet: Fleet, windowMs: number): Promise<number> {
  const cpuBefore = cpuMs(fleet.daemonPid);
  const beganMs = performance.now();
  await delay(windowMs);
  return ((cpuMs(fleet.daemonPid) - cpuBefore) / (performance.now() - beganMs)) * 100;
}

export async function measureBasics(
  fleet: Fleet,
  { command, runs, windowMs }: BasicsOptions,
): Promise<Basics> {
  const emptyBytes = memoryOf([fleet.daemonPid]).residentBytes;
  const startedCpuMs = cpuMs(fleet.daemonPid);
  const few = Math.floor(runs / 2);
  const fewMs = await fleet.start(command, few, 1);
  const manyMs = await fleet.start(command, runs - few, atOnce);
  const startCpuMs = (cpuMs(fleet.daemonPid) - startedCpuMs) / runs;
  const idlePercent = await busyPercent(fleet, windowMs);
  const listMs: number[] = [];
  const listCpuMs: number[] = [];
  for (let round = 0; round < lists; round += 1) {
    const before = cpuMs(fleet.daemonPid);
    listMs.push((await fleet.list()).tookMs);
    listCpuMs.push(cpuMs(fleet.daemonPid) - before);
  }
  const listCommandMs: number[] = [];
  for (let round = 0; round < listCommands; round += 1) {
    const { file, args, env } = fleet.listCommand;
    const beganMs = performance.now();
    await runToEnd(file, args, env);
    listCommandMs.push(performance.now() - beganMs);
  }
  return {
    startPerS: (few / fewMs) * 1000,
    startManyPerS: ((runs - few) / manyMs) * 1000,
    startCpuMs,
    listMs: timing(listMs).medianMs,
    listMsMin: timing(listMs).minMs,
    listCpuMs: timing(listCpuMs).medianMs,
    listCommandMs,
    emptyBytes,
    residentBytes: memoryOf([fleet.daemonPid]).residentBytes,
    idlePercent,
  };
}
