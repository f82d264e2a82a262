import fs from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { onHost } from '../../src/control/fleet/call-host.js';
import type { Job } from '../../src/control/fleet/queue.js';
import type { ReadOutput } from '../../src/model/operations/outputs.js';
import type { Given } from './count-ends.js';

const readBytes = 4 * 1024 * 1024;
const shownMax = 200;
const triesMax = 10;
const againMs = 1000;

/** What is known of a job that was accepted: it must run, print its lines and end with its code. */
export interface Expected {
  id: string;
  code: number;
  /** Numbered lines before the last one. */
  lines: number;
  /** Added with --again-if-lost: once per attempt at most. */
  mayRunAgain: boolean;
}

/** Of a host that was given up while it had the job, as a daemon has logged it. */
export interface GivenUp {
  id: string;
  count: number;
}

interface Found {
  givenUp: readonly GivenUp[];
  jobs: ReadonlyMap<string, Job>;
  given: Given;
  /** Runs whose end the stream has. */
  stored: ReadonlySet<string>;
  ledger: string;
  env: NodeJS.ProcessEnv;
}

/** Writes one line into the ledger at its start, then prints numbered lines and its id. */
export const scriptOf = ({ id, code, lines }: Expected, ledger: string, sleepS: number) =>
  `echo ${id} >>${ledger}/${id}; seq -f '${id} %.0f' 1 ${lines}; sleep ${sleepS}; echo ${id}; exit ${code}`;

const printedBy = ({ id, lines }: Expected) =>
  `${Array.from({ length: lines }, (_, at) => `${id} ${at + 1}\n`).join('')}${id}\n`;

/** One line per deviation from the model. `noticed`: runs whose notice must have been given. */
export async function compare(
  expected: readonly Expected[],
  noticed: readonly string[],
  found: Found,
): Promise<string[]> {
  const lost = noticed.filter((id) => !found.given.notices.has(id));
  const faults = lost.map((id) => `${id}: its notice was not given`);
  const isAgain = new Set(expected.filter(({ mayRunAgain }) => mayRunAgain).map(({ id }) => id));
  for (const { id, count } of found.givenUp) {
    const told = found.given.lost.get(id) ?? 0;
    if (!isAgain.has(id) && told < count)
      faults.push(`${id} was lost ${count} times, and reported ${told} times`);
  }
  for (const one of expected) {
    const job = found.jobs.get(one.id);
    faults.push(...startFaults(one, job?.attempt ?? 1, found.ledger), ...(await endFaults(one, job, found)));
  }
  return faults;
}

function startFaults({ id, mayRunAgain }: Expected, attempts: number, ledger: string): string[] {
  const file = join(ledger, id);
  const runs = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').length - 1 : 0;
  const most = mayRunAgain ? attempts : 1;
  if (attempts > 1 && !mayRunAgain) return [`${id} has ${attempts} attempts`];
  return runs >= 1 && runs <= most ? [] : [`${id} ran ${runs} times in ${attempts} attempts`];
}

async function endFaults(one: Expected, job: Job | undefined, found: Found): Promise<string[]> {
  const { id, code } = one;
  const { given, stored, env } = found;
  const state = job?.state;
  if (state?.is !== 'ended' || state.runId === undefined)
    return [`${id} is ${JSON.stringify(state ?? 'unknown')}`];
  const faults = state.exit?.code === code ? [] : [`${id} ended with ${JSON.stringify(state)}, not ${code}`];
  if (!given.ends.has(state.runId)) {
    const where = stored.has(state.runId) ? 'is in the stream, but was not given' : 'is not in the stream';
    faults.push(`${id}: the event of its end ${where}`);
  }
  const printed = await output(state.host, state.runId, env);
  const wanted = printedBy(one);
  if (printed === wanted) return faults;
  const shown = JSON.stringify(printed.slice(-shownMax));
  return [...faults, `${id} printed ${printed.length} of ${wanted.length} bytes: ${shown}`];
}

/** A host that does not answer is asked again; a wrong answer is final. */
async function output(host: string, id: string, env: NodeJS.ProcessEnv): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    try {
      const { data } = (await onHost(host, 'read', { id, bytes: readBytes }, { env })) as ReadOutput;
      return Buffer.from(data, 'base64').toString();
    } catch (error) {
      if (tries === triesMax) return (error as Error).message;
      await delay(againMs);
    }
  }
}
