// One way to sample, alone in a process: its garbage and its warm code are nobody else's.
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Sampler, type SamplerOptions } from '../src/probe/linux/sample/sampler.js';

export const contenderNames = [
  'unstuck',
  'unstuck, everything read anew',
  'unstuck, no file kept open',
  'pidusage',
  'ps-list',
  'systeminformation',
] as const;

export type ContenderName = (typeof contenderNames)[number];

/** Asked again sooner, it repeats its last answer. */
const systeminformationRestMs = 550;

interface Contender {
  tick(): unknown;
  rest?(): Promise<unknown>;
}

function sampler(pids: number[], options: SamplerOptions): Contender {
  const ours = new Sampler(options);
  for (const pid of pids) ours.add(pid);
  return { tick: () => ours.sweep() };
}

const prepare: Record<ContenderName, (pids: number[]) => Promise<Contender> | Contender> = {
  unstuck: (pids) => sampler(pids, {}),
  'unstuck, everything read anew': (pids) => sampler(pids, { always: true }),
  'unstuck, no file kept open': (pids) => sampler(pids, { always: true, keptFilesMax: 0 }),
  async pidusage(pids) {
    // It keeps files open too, one for each process, and forgets them after a minute.
    const { default: pidusage } = await import('pidusage');
    return { tick: () => pidusage(pids) };
  },
  async 'ps-list'() {
    const { default: psList } = await import('ps-list');
    return { tick: () => psList() };
  },
  async systeminformation() {
    const { default: systeminformation } = await import('systeminformation');
    return { tick: () => systeminformation.processes(), rest: () => delay(systeminformationRestMs) };
  },
};

/** With all threads, and with the programs it started. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  const fields = readFileSync('/proc/self/stat', 'latin1').split(') ').at(-1)?.split(' ') ?? [];
  const reapedTicks = Number(fields[13]) + Number(fields[14]);
  return (user + system) / 1000 + reapedTicks * 10;
}

/** Answers every message with what one tick took. */
export async function contend(name: ContenderName, pids: number[]): Promise<void> {
  const contender = await prepare[name](pids);
  process.on('message', async () => {
    await contender.rest?.();
    const beganCpuMs = cpuMs();
    const beganMs = performance.now();
    await contender.tick();
    const wallMs = performance.now() - beganMs;
    process.send?.({ wallMs, cpuMs: cpuMs() - beganCpuMs });
  });
  process.once('disconnect', () => process.exit());
  process.send?.('ready');
}
