import { pause } from '../../fleet/member/pause.js';
import { checkName } from '../../fleet/names.js';
import { isOver, type Job } from '../../fleet/queue/job.js';
import { JobStore } from '../../fleet/queue/job-store.js';
import { isJobId } from '../../fleet/queue/parse-job.js';
import { limitMax, priorityMax } from '../../fleet/queue/queue-record.js';
import { QueueStore } from '../../fleet/queue/queue-store.js';
import { encodeJson } from '../../fleet/wire.js';
import { Failure } from '../../model/failure.js';
import type { CallOptions } from '../client/call-options.js';
import { changedQueue } from './changed-queue.js';
import { withFleet } from './fleet-client.js';
import { untilLed, withJobs } from './with-jobs.js';

export type { Job };

export function listJobs(options: CallOptions = {}): Promise<Job[]> {
  return untilLed(options, () => withJobs(options, (store) => store.all()));
}

/** A job that waits is taken from the queue; one that runs is stopped by its host. */
export async function cancelJob(handle: string, options: CallOptions = {}): Promise<Job> {
  return await withJobs(options, async (store, client) => {
    const { id } = await findJob(store, handle);
    const { job, changed } = await store.change(id, { kind: 'cancel', at: new Date().toISOString() });
    if (!changed && isOver(job) && job.state.is !== 'lost') {
      throw new Failure('run-ended', `${id} is over: ${job.state.is}`, `see it: unstuck queue ls`);
    }
    client.connection.publish(client.names.nudge, encodeJson({ cancel: id }));
    await client.connection.flush();
    return job;
  });
}

/** Runs a job that is over once more. */
export async function retryJob(handle: string, options: CallOptions = {}): Promise<Job> {
  return await withJobs(options, async (store, client) => {
    const { id } = await findJob(store, handle);
    const { job, changed } = await store.change(id, { kind: 'retry' });
    if (!changed) {
      throw new Failure(
        'run-live',
        `${id} is not over: ${job.state.is}`,
        `stop it first: unstuck queue cancel ${id}`,
      );
    }
    await store.publish(job);
    client.connection.publish(client.names.nudge, encodeJson({}));
    await client.connection.flush();
    return job;
  });
}

const againMs = 1000;

/** Until the job is over, or the time is. A server that goes away meanwhile is waited for. */
export async function waitForJob(
  handle: string,
  timeoutMs: number | null,
  options: CallOptions = {},
): Promise<Job> {
  const late = timeoutMs === null ? null : AbortSignal.timeout(timeoutMs);
  const signals = [late, options.signal].filter((one): one is AbortSignal => one != null);
  const either = AbortSignal.any(signals);
  const { id } = await untilLed({ signal: either }, () =>
    withJobs(options, (store) => findJob(store, handle)),
  );
  for (;;) {
    try {
      const job = await withJobs(options, (store) => followJob(store, id, either));
      options.signal?.throwIfAborted();
      return job;
    } catch (error) {
      options.signal?.throwIfAborted();
      const isServer = error instanceof Failure && error.code === 'no-fleet';
      if (!isServer || either.aborted) throw error;
      await pause(againMs, either);
    }
  }
}

/** The job as it is when it is over, or when aborted. */
async function followJob(store: JobStore, id: string, signal: AbortSignal): Promise<Job> {
  try {
    return await store.follow(id, isOver, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    return await store.read(id);
  }
}

/** What is set for a queue. */
export interface QueueSettings {
  queue: string;
  /** Jobs of a queue with a higher priority are taken first; 0 if not set. */
  priority: number;
  /** Jobs of it at the same time in the whole fleet; null: no limit. */
  limit: number | null;
  /** Jobs that count towards the limit now. */
  running: number;
}

/** Sets what is given, and returns all settings of the queue. */
export async function setQueue(
  queue: string,
  { priority, limit }: { priority?: number | undefined; limit?: number | null | undefined },
  options: CallOptions = {},
): Promise<QueueSettings> {
  checkName('queue', queue);
  checkWithin('priority', priority, -priorityMax, priorityMax);
  checkWithin('limit', limit, 0, limitMax);
  return await withFleet(options, async ({ connection, names }) => {
    const queues = await QueueStore.open(connection, names);
    const isSet = priority !== undefined || limit !== undefined;
    const record = isSet
      ? await changedQueue(queues, await JobStore.open(connection, names), queue, { priority, limit })
      : await queues.read(queue);
    if (isSet) connection.publish(names.nudge, encodeJson({}));
    await connection.flush();
    return { queue, priority: record.priority, limit: record.limit, running: record.running.length };
  });
}

function checkWithin(what: string, value: number | null | undefined, min: number, max: number): void {
  if (value == null || (Number.isSafeInteger(value) && value >= min && value <= max)) return;
  throw new Failure('bad-input', `not a ${what}: ${value}`, `use a whole number from ${min} to ${max}`);
}

/** By its id, or at least 4 characters of it. */
async function findJob(store: JobStore, handle: string): Promise<Job> {
  const whole = handle.startsWith('job_') ? handle : `job_${handle}`;
  if (isJobId(whole)) return await store.read(whole);
  const found = (await store.all()).filter(({ id }) => id.startsWith(whole));
  const [job] = found;
  if (job !== undefined && found.length === 1 && handle.length >= 4) return job;
  throw found.length > 1
    ? new Failure(
        'bad-input',
        `${found.length} jobs begin with ${handle}`,
        'give more characters of the id; list them: unstuck queue ls',
      )
    : new Failure('no-such-job', `no job ${handle.slice(0, 80)}`, 'list them: unstuck queue ls');
}
