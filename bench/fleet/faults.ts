import fs from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { callOperation } from '../../src/control/client/daemon-client.js';
import { livingHolder } from '../../src/control/client/lock-holder.js';
import { joinFleet } from '../../src/control/fleet/join.js';
import { listFleet } from '../../src/control/fleet/list.js';
import { type Job, listJobs } from '../../src/control/fleet/queue.js';
import { type Added, addJobs, addNoticed, nothingAdded } from './add-work.js';
import { countEnds, type Given, nothingGiven, storedEnds } from './count-ends.js';
import { CuttablePorts } from './cuttable-ports.js';
import { compare, type Expected, type GivenUp } from './fault-model.js';
import { type Harm, harm, type Machine, noHarm } from './harm.js';
import { NatsServers } from './nats.js';

interface FaultOptions {
  scratch: string;
  /** Where the checkout is: its built daemon is the one that is killed. */
  root: string;
  seconds: number;
  servers: number;
  seed: number;
}

const memberNames = ['one', 'two', 'three'] as const;
const healMsMax = 600_000;
/** Without any progress for this long nothing heals any more: a host is given up after 90 s. */
const standingMsMax = 180_000;
const progressEveryMs = 30_000;
const faultsShown = 50;

/** What was done, and what the model found. */
export interface FaultRun extends Harm {
  seed: number;
  servers: number;
  seconds: number;
  accepted: number;
  noticed: number;
  /** Jobs that were queued again because their host was given up. */
  again: number;
  /** Times that a host was given up while it had a job. */
  givenUp?: number;
  healedS: number;
  /** Deviations from the model. */
  faults: number;
}

/** Adds jobs while daemons, servers and connections fail at random, and compares everything with a model. */
export async function playFaults(options: FaultOptions): Promise<FaultRun> {
  const { scratch, root, seconds, servers, seed } = options;
  const random = numbersFrom(seed);
  const pick = (count: number) => Math.floor(random() * count);
  const ledger = join(scratch, 'ledger');
  fs.mkdirSync(ledger);
  const nats = await NatsServers.begin(join(scratch, 'nats'), { count: servers });
  const machines: Machine[] = [];
  const watching = new AbortController();
  const given = nothingGiven();
  const done = noHarm();
  const added = nothingAdded();
  const env = { ...process.env, UNSTUCK_HOME: join(scratch, 'client'), UNSTUCK_FLEET_URL: nats.url };
  fs.mkdirSync(env.UNSTUCK_HOME, { mode: 0o700 });
  const counting = countEnds(nats.url, given, watching.signal);
  const beganMs = performance.now();
  const reporting = setInterval(() => progress(beganMs, added, done, given), progressEveryMs);
  try {
    for (const name of memberNames) machines.push(await joinMachine(name, { scratch, root }, nats));
    const endMs = performance.now() + seconds * 1000;
    await Promise.all([
      harm(machines, nats, pick, endMs, done),
      addJobs(added, { ledger, env, pick, endMs, open: () => openJobs(added, given) }),
      addNoticed(added, machines, { pick, endMs }),
    ]);
    for (const machine of machines) await callOperation('list', {}, { env: machine.env });
    const harmedMs = performance.now();
    const jobs = await untilOver(added, given, env);
    await untilBack(env);
    const healedS = Math.round((performance.now() - harmedMs) / 1000);
    const stored = await storedEnds(nats.url).catch(() => new Set<string>());
    const givenUp = jobsGivenUp(machines);
    const found = { jobs, given, stored, ledger, env, givenUp };
    const faults = await compare(added.jobs, added.noticed, found);
    const run: FaultRun = {
      seed,
      servers,
      seconds,
      accepted: added.jobs.length,
      noticed: added.noticed.length,
      ...done,
      again: [...jobs.values()].filter(({ attempt }) => attempt > 1).length,
      givenUp: givenUp.reduce((sum, { count }) => sum + count, 0),
      healedS,
      faults: faults.length,
    };
    const { notAdded } = added;
    const repeats = [...given.ends.values()].filter((count) => count > 1).length;
    const rest = { notAdded, repeats, ...logged(machines), first: faults.slice(0, faultsShown) };
    console.log(JSON.stringify({ ...run, ...rest }, null, 1));
    return run;
  } finally {
    clearInterval(reporting);
    watching.abort();
    for (const machine of machines) await endMachine(machine);
    await nats.end();
    await counting;
  }
}

async function joinMachine(
  name: string,
  { scratch, root }: Pick<FaultOptions, 'scratch' | 'root'>,
  nats: NatsServers,
): Promise<Machine> {
  const network = await CuttablePorts.begin(nats.ports.map(({ client }) => client));
  const env = {
    ...process.env,
    UNSTUCK_HOME: join(scratch, name),
    UNSTUCK_CLI: join(root, 'dist/cli.cjs'),
    UNSTUCK_KEEP_RUNS: '100000',
  };
  await joinFleet({ url: network.url, name, accept: ['start'], slots: 4 }, env);
  return { env, network };
}

const logsOf = (machines: readonly Machine[]) =>
  machines.map(({ env }) => fs.readFileSync(join(env.UNSTUCK_HOME, 'daemon.log'), 'utf8')).join('');

function jobsGivenUp(machines: readonly Machine[]): GivenUp[] {
  const counts = new Map<string, number>();
  for (const [, id = ''] of logsOf(machines).matchAll(/job (job_\w+): \w+ has not been seen since/g))
    counts.set(id, (counts.get(id) ?? 0) + 1);
  return [...counts].map(([id, count]) => ({ id, count }));
}

/** What the hosts repaired by themselves. */
function logged(machines: readonly Machine[]) {
  const text = logsOf(machines);
  const count = (words: string) => text.split(words).length - 1;
  return {
    messagesGone: count('its message was gone'),
    stopped: count('was given to another host'),
  };
}

async function endMachine({ env, network }: Machine): Promise<void> {
  await callOperation('killAll', { graceS: 0 }, { env }).catch(() => {});
  const pid = livingHolder(env.UNSTUCK_HOME)?.identity.pid;
  if (pid !== undefined) process.kill(pid, 'SIGKILL');
  while (livingHolder(env.UNSTUCK_HOME) !== null) await delay(10);
  network.end();
}

/** The run of a job, once it was ended, is one of those whose end was given; noticed runs are too. */
const openJobs = ({ jobs, noticed }: Added, { ends }: Given) => jobs.length + noticed.length - ends.size;

/** Every job has ended, and every event of an end and every notice was given, or the time is over. */
async function untilOver(
  { jobs: expected, noticed }: Added,
  given: Given,
  env: NodeJS.ProcessEnv,
): Promise<Map<string, Job>> {
  const endMs = performance.now() + healMsMax;
  let last = { left: Number.POSITIVE_INFINITY, ms: performance.now() };
  let jobs = new Map<string, Job>();
  for (;;) {
    const listed = await listJobs({ env }).catch(() => null);
    if (listed !== null) jobs = new Map(listed.map((job) => [job.id, job]));
    const isOpen = ({ id }: Expected) => {
      const state = jobs.get(id)?.state;
      return state?.is !== 'ended' || !given.ends.has(state.runId ?? '');
    };
    const open = {
      jobs: expected.filter(({ id }) => jobs.get(id)?.state.is !== 'ended').length,
      ends: expected.filter(isOpen).length,
      notices: noticed.filter((id) => !given.notices.has(id)).length,
    };
    const isOver = open.ends === 0 && open.notices === 0;
    const left = open.jobs + open.ends + open.notices;
    if (left < last.left) last = { left, ms: performance.now() };
    const isStanding = performance.now() - last.ms > standingMsMax;
    if (isOver || isStanding || performance.now() > endMs) return jobs;
    await delay(2000);
  }
}

function progress(beganMs: number, { jobs, noticed }: Added, done: Harm, { ends, notices }: Given): void {
  const s = Math.round((performance.now() - beganMs) / 1000);
  const counts = { s, jobs: jobs.length, ends: ends.size, noticed: noticed.length, notices: notices.size };
  console.error(JSON.stringify({ ...counts, ...done }));
}

/** Outputs are read where they are: every host must answer. */
async function untilBack(env: NodeJS.ProcessEnv): Promise<void> {
  const endMs = performance.now() + healMsMax;
  while (performance.now() < endMs) {
    const { hosts } = await listFleet({ status: 'running' }, { env }).catch(() => ({ hosts: [] }));
    if (hosts.filter(({ away }) => away === undefined).length === memberNames.length) return;
    await delay(1000);
  }
}

/** Repeatable random numbers (mulberry32). */
function numbersFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
