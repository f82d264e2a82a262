import { randomUUID } from 'node:crypto';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../../model/failure.js';
import type { OperationInput, OperationName, OperationOutput } from '../../model/operations/operations.js';
import { formatDuration } from '../../text/duration.js';
import type { Service, UpPlan } from './up-plan.js';

export type Call = <Name extends OperationName>(
  name: Name,
  input: OperationInput<Name>,
  options?: { signal?: AbortSignal },
) => Promise<OperationOutput<Name>>;

/** A service that is up. */
export interface UpService {
  name: string;
  id: string;
  pid: number | null;
  /** It was there before. */
  wasUp: boolean;
  /** How it became ready. */
  ready: Service['ready']['kind'];
}

export interface StartPlanOptions {
  call: Call;
  task: string;
  /** Directory of the file. */
  dir: string;
  caller: Pick<OperationInput<'start'>, 'inherit' | 'umask' | 'openFiles'>;
  signal: AbortSignal;
  /** A run was started for a service. */
  started(id: string): void;
  /** A service is ready. */
  ready(service: UpService): void;
}

const againMs = 200;

type ListedRun = OperationOutput<'list'>['runs'][number];

/** It lives, or it will be started again. */
export function goesOn({ status, restart }: Pick<ListedRun, 'status' | 'restart'>): boolean {
  return status === 'running' || restart?.nextAt != null;
}

/** Starts all services in order, each when those before it are ready. Throws a Failure that names the first that fails. */
export async function startPlan(plan: UpPlan, options: StartPlanOptions): Promise<UpService[]> {
  const { call, task, signal } = options;
  const { runs } = await call('list', { task }, { signal });
  const live = new Map(runs.filter(goesOn).map((run) => [run.label, run]));
  await checkPorts(plan.services.filter(({ name }) => !live.has(name)));
  const done = new Map<string, UpService>();
  const going = new Map<string, Promise<void>>();
  const starts: Promise<StartedRun>[] = [];
  const waiting = [...plan.services];
  try {
    while (waiting.length > 0 || going.size > 0) {
      for (const service of [...waiting]) {
        if (going.size >= plan.parallel) break;
        if (!service.after.every((name) => done.has(name))) continue;
        waiting.splice(waiting.indexOf(service), 1);
        const there = live.get(service.name);
        const starting = there === undefined ? startService(service, options) : Promise.resolve(there);
        starts.push(starting);
        const ending = untilReady(service, starting, options).then((ready) => {
          const up = { ...ready, wasUp: there !== undefined };
          done.set(up.name, up);
          going.delete(up.name);
          options.ready(up);
        });
        // The first that fails is reported.
        ending.catch(() => {});
        going.set(service.name, ending);
      }
      await Promise.race(going.values());
    }
  } catch (error) {
    // The caller has to know of every run before it stops them.
    await Promise.allSettled(starts);
    throw error;
  }
  return plan.services.flatMap(({ name }) => done.get(name) ?? []);
}

interface StartedRun {
  id: string;
  pid: number | null;
}

async function startService(
  { name, command, cwd, env, ready, restart }: Service,
  { call, task, dir, caller, started: note }: StartPlanOptions,
): Promise<StartedRun> {
  const started = await call('start', {
    command,
    cwd: path.resolve(dir, cwd ?? '.'),
    env,
    ...caller,
    label: name,
    task,
    tags: ['up'],
    // What is left of a service that died would keep the port of the next one, and outlive `down`. A command that is to
    // end may have started something that is to stay.
    ...(ready.kind !== 'exit' && { options: { leftovers: 'kill' } }),
    ...(restart !== null && { restart }),
  }).catch((error: unknown) => {
    throw error instanceof Failure ? new Failure(error.code, `${name}: ${error.message}`, error.hint) : error;
  });
  note(started.id);
  return started;
}

/** Waits until a service is ready. One that was up before may not be: its `up` may have been killed. */
async function untilReady(
  { name, ready, readyMs }: Service,
  starting: Promise<StartedRun>,
  { call, task, signal }: StartPlanOptions,
): Promise<Omit<UpService, 'wasUp'>> {
  const { id: first, pid } = await starting;
  const up = { name, id: first, pid, ready: ready.kind };
  if (ready.kind === 'started') return up;
  const untilMs = performance.now() + readyMs;
  // A new reader, which finds a line that was printed before.
  const reader = `unstuck-up-${randomUUID().slice(0, 8)}`;
  for (let id = first; ; ) {
    const timeoutS = Math.max(0, untilMs - performance.now()) / 1000;
    const input = { id, timeoutS, reader, plain: true, ...conditionOf(ready) };
    const waited: Waited = await call('wait', input, { signal });
    if (waited.status === ready.kind || (ready.kind === 'exit' && waited.exit?.code === 0))
      return { ...up, id };
    const isOver = performance.now() >= untilMs;
    if (waited.status === 'timeout' && isOver) throw notReady(name, readyMs, waited);
    if (waited.status !== 'timeout') {
      // A run with a restart policy comes back as another run.
      const next = await nextAttempt(call, task, name);
      if (next === null || isOver) throw endedEarly(name, waited);
      id = next;
      await delay(againMs, undefined, { signal });
    }
  }
}

function conditionOf(ready: Service['ready']): Pick<OperationInput<'wait'>, 'until' | 'port' | 'match'> {
  if (ready.kind === 'port') return { until: ['port'], port: ready.port };
  return ready.kind === 'match' ? { until: ['match'], match: ready.match } : { until: ['exit'] };
}

/** The run that a service goes on as; null: it does not. */
async function nextAttempt(call: Call, task: string, name: string): Promise<string | null> {
  const { runs } = await call('list', { task });
  const last = runs.findLast(({ label }) => label === name);
  return last !== undefined && goesOn(last) ? last.id : null;
}

type Waited = OperationOutput<'wait'>;

const lastLine = ({ output }: Waited) => output.trim().split('\n').at(-1)?.slice(0, 200) ?? '';
const printedWords = (waited: Waited) => (lastLine(waited) === '' ? '' : `; it printed: ${lastLine(waited)}`);

function notReady(name: string, readyMs: number, waited: Waited): Failure {
  return new Failure(
    'cannot-start',
    `${name} is not ready after ${formatDuration(readyMs)}: ${waited.why}${printedWords(waited)}`,
    `read its output: unstuck log ${waited.id}`,
  );
}

function endedEarly(name: string, waited: Waited): Failure {
  return new Failure(
    'cannot-start',
    `${name} ended before it was ready: ${waited.why}${printedWords(waited)}`,
    `read its output: unstuck log ${waited.id}`,
  );
}

/** Throws a Failure for a port that another process has. */
async function checkPorts(services: readonly Service[]): Promise<void> {
  for (const { name, ready } of services) {
    if (ready.kind !== 'port' || (await isFree(ready.port))) continue;
    throw new Failure(
      'cannot-start',
      `port ${ready.port} of ${name} is taken`,
      `see what has it: ss -ltnp 'sport = :${ready.port}'; to free it: unstuck kill --port ${ready.port}`,
    );
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'EADDRINUSE'));
    server.listen(port, () => server.close(() => resolve(true)));
  });
}
