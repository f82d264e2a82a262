import type { FailureCode } from '../../model/failure.js';
import type { StartOutput, WaitOutput } from '../../model/operations/outputs.js';
import type { Exit } from '../../model/run/run.js';
import { isCommandAllowed, mayTake } from '../accept.js';
import type { Job, JobEvent } from '../queue/job.js';
import type { JobStore } from '../queue/job-store.js';
import { startOfJob, tagsOf } from '../queue/start-of-job.js';
import type { ServerClock } from '../server-clock.js';
import type { Membership } from '../settings.js';
import type { FleetAnswer } from '../wire.js';
import type { LocalRun, LocalRuns } from './local-runs.js';
import { pause } from './pause.js';

export interface FollowContext {
  store: JobStore;
  runs: LocalRuns;
  membership: Membership;
  clock: ServerClock;
  /** This member ends: the run goes on. */
  ended: AbortSignal;
  /** The job was cancelled: its run is stopped. */
  cancel: AbortSignal;
}

const waitS = 60;
const againMs = 2000;

/** Failures that the same start would end with again. */
const lasting: ReadonlySet<string> = new Set<FailureCode>([
  'bad-input',
  'bad-config',
  'cannot-execute',
  'command-not-found',
  'cannot-start',
  'too-large',
  'not-allowed',
  'unsupported',
]);

/** The run of the present attempt on this machine; undefined: there is none. */
export function runOfJob(job: Job, runs: LocalRuns): LocalRun | undefined {
  const tags = tagsOf(job);
  return runs.all().find((run) => tags.every((tag) => run.tags.includes(tag)));
}

/** Starts the command of a job once, waits for its end and writes it into the record. */
export async function followJob(job: Job, context: FollowContext): Promise<void> {
  const { attempt } = job;
  const { name: host } = context.membership;
  const end = (given: { exit?: Exit; reason?: string }) =>
    record(job.id, { kind: 'ended', host, attempt, at: context.clock.now(), ...given }, context);
  const started = await startRun(job, context);
  if ('reason' in started) return end(started);
  await record(job.id, { kind: 'started', host, attempt, runId: started.id }, context);
  const exit = await awaitEnd(started.id, job, context);
  if (exit !== null) await end(exit);
}

/**
 * What the member accepts is asked again: the record may name this host although it never claimed the job, and the
 * member may accept less than before. A run that exists is followed in any case.
 */
function isRefused(job: Job, { membership }: FollowContext): boolean {
  const { command, env, options } = job;
  return !mayTake(membership, job) || !isCommandAllowed(membership.accept, { command, env, options });
}

/** Requests of other machines cannot have such an id: the run of a job is never one that another machine started. */
export const jobRequestId = ({ id, attempt }: Job) => `job.${id}.${attempt}`;

/** The id of the run is made from the request id, so a repeated start finds the run. */
async function startRun(job: Job, context: FollowContext): Promise<{ id: string } | { reason: string }> {
  if (isRefused(job, context)) {
    return runOfJob(job, context.runs) ?? { reason: `${context.membership.name} does not accept this job` };
  }
  for (;;) {
    // A job that was cancelled before its start does not start; a repeated start cannot be told from a first one.
    if (context.cancel.aborted && job.state.is === 'running' && job.state.runId === undefined) {
      return { reason: 'cancelled before its start' };
    }
    const request = { requestId: jobRequestId(job), signal: context.ended };
    const answer = await context.runs.answer('start', startOfJob(job), request);
    if (answer.status === 200) return { id: (answer.body as StartOutput).id };
    const { code, message } = errorOf(answer);
    if (lasting.has(code)) return { reason: message };
    await pause(againMs, context.ended);
    context.ended.throwIfAborted();
  }
}

/** null: the job was given to another host meanwhile, so its run is stopped here and its end does not count. */
async function awaitEnd(
  id: string,
  job: Job,
  context: FollowContext,
): Promise<{ exit?: Exit; reason?: string } | null> {
  const stop = () => void kill(id, context);
  context.cancel.addEventListener('abort', stop, { once: true });
  if (context.cancel.aborted) stop();
  try {
    for (;;) {
      const request = { requestId: `${id}.wait.${Date.now()}`, signal: context.ended };
      const answer = await context.runs.answer('wait', { id, until: ['exit'], timeoutS: waitS }, request);
      context.ended.throwIfAborted();
      if (answer.status === 200) {
        const { status, exit } = answer.body as WaitOutput;
        if (exit !== undefined) return { exit, ...(context.cancel.aborted && { reason: 'cancelled' }) };
        if (status !== 'timeout') return { reason: 'its end was not recorded' };
        if (await isSuperseded(job, context)) {
          await kill(id, context);
          return null;
        }
      } else if (errorOf(answer).code === 'no-such-run') {
        return { reason: 'its run was removed from the host before its end was reported' };
      } else await pause(againMs, context.ended);
    }
  } finally {
    context.cancel.removeEventListener('abort', stop);
  }
}

/** A host that stood still for minutes may have been given up without losing its connection. */
async function isSuperseded({ id, attempt }: Job, { store, membership }: FollowContext): Promise<boolean> {
  try {
    const now = await store.read(id);
    return now.attempt !== attempt || !('host' in now.state) || now.state.host !== membership.name;
  } catch {
    return false;
  }
}

async function kill(id: string, { runs, ended }: FollowContext): Promise<void> {
  await runs.answer('kill', { id }, { requestId: `${id}.cancel`, signal: ended });
}

/** Tries until it is written or this member ends. */
async function record(id: string, event: JobEvent, { store, ended }: FollowContext): Promise<void> {
  for (;;) {
    try {
      await store.change(id, event);
      return;
    } catch (error) {
      ended.throwIfAborted();
      if ((error as { code?: unknown }).code === 'no-such-job') return;
      await pause(againMs, ended);
    }
  }
}

function errorOf({ body }: FleetAnswer): { code: string; message: string } {
  const { error } = (body ?? {}) as { error?: { code?: unknown; message?: unknown } };
  return { code: String(error?.code), message: String(error?.message) };
}
