import type { KV } from '@nats-io/kv';
import type { FleetEvent } from '../event.js';
import { lastSign, openMembers, readHosts } from '../hosts.js';
import type { Job } from '../queue/job.js';
import type { StoredJob } from '../queue/job-store.js';
import { reservationKey } from '../queue/queue-record.js';
import { jobTag } from '../queue/start-of-job.js';
import { encodeJson } from '../wire.js';
import type { MemberContext } from './member-context.js';
import { nudgeIdsMax } from './nudge.js';
import { pause } from './pause.js';
import type { Stores } from './stores.js';

const sweepEveryMs = 15_000;
/** Another host sweeps when the last sweep is older. */
const turnMs = 40_000;
/** A host that was not seen for this long has lost its jobs. */
const lostAfterMs = 90_000;
/** A job without a confirmed message for this long is published again. */
const unconfirmedMs = 30_000;
/** Messages that are looked for in one sweep, from a random job on: the oldest may wait for a host that never comes. */
const lookForMax = 100;
/** A reservation that is not followed by a claim for this long is dropped. */
const reservedMs = 60_000;
const duty = 'sweeper';

/** One host of the fleet looks after jobs whose host or client has gone. */
export class Sweeper {
  readonly #context: MemberContext;
  readonly #stores: Stores;

  constructor(context: MemberContext, stores: Stores) {
    this.#context = context;
    this.#stores = stores;
  }

  async live(signal: AbortSignal): Promise<void> {
    const { membership, clock, log } = this.#context;
    while (!signal.aborted) {
      // Hosts that joined at once do not ask at once.
      await pause(sweepEveryMs * (0.5 + Math.random()), signal);
      if (signal.aborted) return;
      try {
        const oldMs = clock.nowMs() - turnMs;
        if (!(await this.#stores.queues.takeTurn(duty, membership.name, oldMs))) continue;
        await clock.refresh();
        await this.sweep();
      } catch (error) {
        if (!signal.aborted) log(`fleet: the check of jobs: ${(error as Error).message}`);
      }
    }
  }

  /** One check of all jobs. */
  async sweep(): Promise<void> {
    const { connection, names, clock } = this.#context;
    const members = await openMembers(connection, names);
    const nowMs = clock.nowMs();
    const [all, hosts] = await Promise.all([this.#stores.jobs.stored(), readHosts(members, nowMs)]);
    const seenMs = new Map(hosts.map(({ name, seenAt }) => [name, Date.parse(seenAt)]));
    const isOld = ({ changedMs }: StoredJob) => nowMs - changedMs > unconfirmedMs;
    const queued = all.filter(({ job }) => job.state.is === 'queued').filter(isOld);
    for (const { job } of queued) if (job.message === undefined) await this.#stores.jobs.publish(job);
    const from = Math.floor(Math.random() * queued.length);
    const some = [...queued.slice(from), ...queued.slice(0, from)].slice(0, lookForMax);
    for (const { job } of some) await this.#findMessage(job);
    for (const one of all) await this.#giveUpHost(one, members, seenMs, nowMs);
    this.#remind(all, nowMs);
    const jobs = all.map(({ job }) => job);
    for (const job of jobs) await this.#reportLost(job);
    await this.#releaseLeft(jobs, nowMs);
  }

  async #findMessage(job: Job): Promise<void> {
    if (await this.#stores.jobs.publishIfGone(job)) {
      this.#context.log(`fleet: job ${job.id}: its message was gone, and is published again`);
    }
  }

  async #giveUpHost(
    { job, changedMs }: StoredJob,
    members: KV,
    seenMs: ReadonlyMap<string, number>,
    nowMs: number,
  ): Promise<void> {
    if (job.state.is !== 'running') return;
    const { host } = job.state;
    if (nowMs - Math.max(seenMs.get(host) ?? 0, changedMs) < lostAfterMs) return;
    // The list may come from a server that was away itself: the leader decides.
    const last = await lastSign(members, host);
    const lastMs = Math.max(last?.ms ?? 0, changedMs);
    if (nowMs - lastMs < lostAfterMs) return;
    const since = new Date(last?.ms ?? changedMs).toISOString();
    const reason =
      last?.hasLeft === true
        ? `${host} left the fleet at ${since}`
        : `${host} has not been seen since ${since}`;
    const at = new Date(nowMs).toISOString();
    const { jobs } = this.#stores;
    const { job: after, changed } = await jobs.change(job.id, { kind: 'host-away', host, at, reason });
    if (!changed) return;
    this.#context.log(`fleet: job ${job.id}: ${reason}`);
    if (after.state.is === 'queued') await jobs.publish(after);
    await this.#reportLost(after);
  }

  /** Once: after a crash between event and record, the server drops the repeat. */
  async #reportLost({ id, attempt, label, state }: Job): Promise<void> {
    if (state.is !== 'lost' || state.reported === true) return;
    const { names, membership } = this.#context;
    const { host, lostAt, reason, runId } = state;
    const event: FleetEvent = {
      kind: 'lost',
      host: membership.name,
      at: lostAt,
      runId: runId ?? null,
      label: label ?? id,
      text: `job ${id} on ${host} is lost: ${reason}`,
      task: null,
      owner: null,
      tags: [jobTag(id)],
    };
    const { jobs } = this.#stores;
    const subject = names.eventSubject(event.host, event.kind);
    await jobs.js.publish(subject, encodeJson(event), { msgID: `${id}.${attempt}.lost.${lostAt}` });
    await jobs.change(id, { kind: 'reported', lostAt });
  }

  /** A host may not know that it has a job, or that the job was cancelled: a nudge and an answer may be lost. */
  #remind(jobs: readonly StoredJob[], nowMs: number): void {
    const { connection, names } = this.#context;
    const byHost = new Map<string, string[]>();
    for (const { job, changedMs } of jobs) {
      const { id, state } = job;
      if (state.is === 'running' && state.cancelAsked === true) {
        connection.publish(names.nudge, encodeJson({ cancel: id }));
      }
      const isLong = nowMs - changedMs > unconfirmedMs;
      if (state.is === 'lost' || (state.is === 'running' && isLong))
        byHost.set(state.host, [...(byHost.get(state.host) ?? []), id]);
    }
    for (const [host, running] of byHost) {
      connection.publish(names.nudge, encodeJson({ host, running: running.slice(-nudgeIdsMax) }));
    }
  }

  /** Jobs that count towards the limit of a queue although they are over, or were never claimed. */
  async #releaseLeft(jobs: readonly Job[], nowMs: number): Promise<void> {
    const { queues } = this.#stores;
    const running = new Set(jobs.filter(({ state }) => state.is === 'running').map(reservationKey));
    for (const queue of new Set(jobs.map((job) => job.queue))) {
      const record = await queues.read(queue);
      const left = record.running.filter(
        ({ key, at }) => !running.has(key) && nowMs - Date.parse(at) > reservedMs,
      );
      if (left.length > 0) await queues.change(queue, { kind: 'released', keys: left.map(({ key }) => key) });
    }
  }
}
