import { setTimeout as delay } from 'node:timers/promises';
import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import type { KV, KvEntry } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import { Failure } from '../../model/failure.js';
import { printable } from '../../text/printable.js';
import { jsonOf } from '../hosts.js';
import type { FleetNames } from '../names.js';
import { ensureStream, isConflict, openBucket, readBucket } from '../storage.js';
import { type Job, type JobEvent, nextJob } from './job.js';
import { isJobId, parseJob } from './parse-job.js';

/** Jobs that ended longer ago are forgotten. */
const keepMs = 30 * 24 * 3600 * 1000;
const changesMax = 50;
const conflictMsMax = 100;
/** A message of the queue is the id of a job. */
const messageBytesMax = 1024;
/** The order has at most half of it. */
const jobBytesMax = 900 * 1024;

export interface StoredJob {
  job: Job;
  /** By the clock of the server. */
  changedMs: number;
}

/** The jobs of a fleet. A change is written only over the revision it was made from, so no two hosts claim one job. */
export class JobStore {
  readonly #jobs: KV;
  readonly #js: JetStreamClient;
  readonly #names: FleetNames;
  readonly manager: JetStreamManager;

  private constructor(jobs: KV, js: JetStreamClient, manager: JetStreamManager, names: FleetNames) {
    this.#jobs = jobs;
    this.#js = js;
    this.manager = manager;
    this.#names = names;
  }

  /** Bucket and stream are created by the first host or client. */
  static async open(connection: NatsConnection, names: FleetNames): Promise<JobStore> {
    const { jetstream, jetstreamManager, RetentionPolicy } = await import('../nats.js');
    const manager = await jetstreamManager(connection);
    await ensureStream(connection, manager, {
      name: names.queueStream,
      subjects: [names.queueSubjects],
      retention: RetentionPolicy.Workqueue,
      max_msg_size: messageBytesMax,
    });
    const jobs = await openBucket(connection, names.jobs, { ttlMs: keepMs, valueBytesMax: jobBytesMax });
    return new JobStore(jobs, jetstream(connection), manager, names);
  }

  get js(): JetStreamClient {
    return this.#js;
  }

  /** Throws a Failure when there is no such job. */
  async read(id: string): Promise<Job> {
    const entry = isJobId(id) ? await this.#jobs.get(id) : null;
    const job = entry === null ? null : jobOf(entry);
    if (job !== null) return job;
    // A newer version may have written it: its message must not be thrown away.
    if (entry?.operation === 'PUT') {
      const message = `the record of job ${id} cannot be read by Unstuck ${__UNSTUCK_VERSION__}`;
      throw new Failure('unsupported', message, 'install the same version on all machines');
    }
    throw new Failure('no-such-job', `no job ${printable(id.slice(0, 80))}`, 'list them: unstuck queue ls');
  }

  async all(): Promise<Job[]> {
    return (await this.stored()).map(({ job }) => job);
  }

  /** All jobs, each with the time of its last change. */
  async stored(): Promise<StoredJob[]> {
    const jobs: StoredJob[] = [];
    for (const entry of await readBucket(this.#jobs)) {
      const job = jobOf(entry);
      if (job !== null) jobs.push({ job, changedMs: entry.created.getTime() });
    }
    return jobs.sort((a, b) => (a.job.addedAt < b.job.addedAt ? -1 : 1));
  }

  /** Once per id: a repeated call changes nothing. */
  async add(job: Job): Promise<void> {
    try {
      await this.#jobs.create(job.id, JSON.stringify(job));
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
    await this.publish(job);
  }

  /** Puts the message of a queued job into the stream; a repeat within minutes is dropped by the server. */
  async publish(job: Job): Promise<void> {
    await this.#publish(job, `${job.id}.${job.attempt}`);
  }

  /** The first message of a subject from a number on, which stays where it is; null: there is none. */
  async messageFrom(subject: string, seq: number): Promise<{ seq: number; id: string } | null> {
    // The types of the library lack this request. The leader answers it since nats-server 2.9.
    const query = { seq, next_by_subj: subject };
    const found = await this.manager.streams.getMessage(this.#names.queueStream, query);
    return found?.subject === subject ? { seq: found.seq, id: found.string() } : null;
  }

  /** The message of a queued job may be gone, although no host has claimed the job. Then it gets another one. */
  async publishIfGone({ id, message }: Job): Promise<boolean> {
    if (message === undefined || (await this.#hasMessage(message, id))) return false;
    const { job, changed } = await this.change(id, { kind: 'unpublished', message });
    if (changed) await this.#publish(job, `${id}.${job.attempt}.${message}`);
    return changed;
  }

  async #publish({ id, queue, needs }: Job, msgID: string): Promise<void> {
    const subject = this.#names.queueSubject(queue, needs);
    const { seq } = await this.#js.publish(subject, id, { msgID });
    await this.change(id, { kind: 'published', message: seq });
  }

  async #hasMessage(seq: number, id: string): Promise<boolean> {
    const found = await this.manager.streams.getMessage(this.#names.queueStream, { seq });
    return found !== null && found.string() === id;
  }

  /** The job after the event, or as it is when the event does not apply. */
  async change(id: string, event: JobEvent): Promise<{ job: Job; changed: boolean }> {
    for (let tries = 0; tries < changesMax; tries += 1) {
      const entry = isJobId(id) ? await this.#jobs.get(id) : null;
      const job = entry === null ? null : jobOf(entry);
      if (entry === null || job === null) return { job: await this.read(id), changed: false };
      const next = nextJob(job, event);
      if (next === null) return { job, changed: false };
      try {
        await this.#jobs.update(id, JSON.stringify(next), entry.revision);
        return { job: next, changed: true };
      } catch (error) {
        if (!isConflict(error)) throw error;
        await delay(Math.random() * conflictMsMax);
      }
    }
    throw new Failure('no-fleet', `job ${id} is changed by too many machines at once`, 'try again');
  }

  /** Ends when `isDone` holds, or when aborted. Throws a Failure when the job is gone, or cannot be read any more. */
  async follow(id: string, isDone: (job: Job) => boolean, signal: AbortSignal): Promise<Job> {
    const entries = await this.#jobs.watch({ key: id });
    const stop = () => entries.stop();
    signal.addEventListener('abort', stop, { once: true });
    try {
      // A job that is not there never changes, and a signal that was aborted before says so no more.
      const now = await this.read(id);
      if (isDone(now)) return now;
      signal.throwIfAborted();
      for await (const entry of entries) {
        const job = jobOf(entry) ?? (await this.read(id));
        if (isDone(job)) return job;
      }
    } finally {
      signal.removeEventListener('abort', stop);
      entries.stop();
    }
    signal.throwIfAborted();
    return await this.read(id);
  }
}

/** null: deleted, or not a job. */
const jobOf = (entry: KvEntry) => (entry.operation === 'PUT' ? parseJob(entry.key, jsonOf(entry)) : null);
