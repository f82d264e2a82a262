import { setTimeout as delay } from 'node:timers/promises';
import { callOperation } from '../../src/control/client/daemon-client.js';
import { addJob } from '../../src/control/fleet/add-job.js';
import type { StartInput } from '../../src/model/operations/inputs.js';
import { type Expected, scriptOf } from './fault-model.js';
import type { Machine } from './harm.js';

interface AddOptions {
  ledger: string;
  env: NodeJS.ProcessEnv;
  pick(count: number): number;
  endMs: number;
  /** Jobs that were added and are not known to be over. */
  open(): number;
}

/** More jobs are not added meanwhile: what is measured after the faults is the healing, not a long queue. */
const openMax = 120;

/** What was accepted so far. */
export interface Added {
  jobs: Expected[];
  notAdded: number;
  /** Runs that a machine started for itself, each with a notice of its end. */
  noticed: string[];
}

export const nothingAdded = (): Added => ({ jobs: [], notAdded: 0, noticed: [] });

const triesMax = 40;
const againMs = 500;
/** Most jobs print a little; the output of a few is larger than a message of the server. */
const linesOf = [0, 10, 100, 2000] as const;
const manyLines = 60_000;

/** Two clients at once. */
export async function addJobs(added: Added, { ledger, env, pick, endMs, open }: AddOptions): Promise<void> {
  let count = 0;
  const add = async () => {
    while (performance.now() < endMs) {
      const id = `job_${(count + 0x100000000000).toString(16)}`;
      count += 1;
      const lines = pick(60) === 0 ? manyLines : (linesOf[pick(linesOf.length)] ?? 0);
      const job = { id, code: pick(100), lines, mayRunAgain: pick(10) === 0 };
      // Some run for seconds, so that a machine that is cut off often has one.
      const sleepS = pick(8) === 0 ? 2 + pick(8) : pick(10) / 10;
      const command = ['sh', '-c', scriptOf(job, ledger, sleepS)];
      const order = { id, command, againIfLost: job.mayRunAgain };
      // The same id again until it is confirmed: a lost answer must not make a second job.
      const isAdded = await tried(() => addJob(order, { env, signal: AbortSignal.timeout(20_000) }));
      if (isAdded !== null) added.jobs.push(job);
      else added.notAdded += 1;
      await delay(100 + pick(400));
      while (open() > openMax && performance.now() < endMs) await delay(againMs);
    }
  };
  await Promise.all([add(), add()]);
}

/** Short runs on each machine, with a notice of their end. */
export async function addNoticed(
  added: Added,
  machines: readonly Machine[],
  { pick, endMs }: Pick<AddOptions, 'pick' | 'endMs'>,
): Promise<void> {
  for (let count = 0; performance.now() < endMs; count += 1) {
    const { env } = machines[pick(machines.length)] as Machine;
    const command = ['sh', '-c', `exit ${pick(100)}`];
    const input: StartInput = { command, cwd: '/', notify: { events: ['exit'] } };
    const started = await tried(() => callOperation('start', input, { env, requestId: `noticed.${count}` }));
    if (started !== null) added.noticed.push(started.id);
    await delay(500 + pick(1000));
  }
}

/** null: refused each time. */
async function tried<T>(ask: () => Promise<T>): Promise<T | null> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    try {
      return await ask();
    } catch {
      await delay(againMs);
    }
  }
  return null;
}
