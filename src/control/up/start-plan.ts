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
const reader = 'unstuck-up';

/** Starts all services in order, each when those before it are ready. Throws a Failure that names the first that fails. */
export async function startPlan(plan: UpPlan, options: StartPlanOptions): Promise<UpService[]> {
  const { call, task, signal } = options;
  const { runs } = await call('list', { task, status: 'running' }, { signal });
  const live = new Map(runs.map((run) => [run.label, run]));
  await checkPorts(plan.services.filter(({ name }) => !live.has(name)));
  const done = new Map<string, UpService>();
  const going = new Map<string, Promise<void>>();
  const waiting = [...plan.services];
  while (waiting.length > 0 || going.size > 0) {
    for (const service of [...waiting]) {
      if (going.size >= plan.parallel) break;
      if (!service.after.every((name) => done.has(name))) continue;
      waiting.splice(waiting.indexOf(service), 1);
      const there = live.get(service.name);
      const starting = there === undefined ? startService(service, options) : alreadyUp(service, there);
      const ending = starting.then((up) => {
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
  return plan.services.flatMap(({ name }) => done.get(name) ?? []);
}

async function alreadyUp(
  { name, ready }: Service,
  { id, pid }: { id: string; pid: number | null },
): Promise<UpService> {
  return { name, id, pid, wasUp: true, ready: ready.kind };
}

async function startService(
  service: Service,
  { call, task, dir, caller, signal, started: note }: StartPlanOptions,
): Promise<UpService> {
  const { name, command, cwd, env, restart, ready, readyMs } = service;
  const started = await call('start', {
    command,
    cwd: path.resolve(dir, cwd ?? '.'),
    env,
    ...caller,
    label: name,
    task,
    tags: ['up'],
    ...(restart !== null && { restart }),
  });
  note(started.id);
  const up = { name, id: started.id, pid: started.pid, wasUp: false, ready: ready.kind };
  if (ready.kind === 'started') return up;
  const untilMs = performance.now() + readyMs;
  for (let { id } = started; ; ) {
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
  const goesOn = last?.status === 'running' || last?.restart?.nextAt != null;
  return last !== undefined && goesOn ? last.id : null;
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
