import type { KV } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import { connectFleet } from '../connect.js';
import { explained } from '../explained.js';
import { type HostRecord, openMembers, removeHost, renewEveryMs, writeHost } from '../hosts.js';
import { fleetNames } from '../names.js';
import { ServerClock } from '../server-clock.js';
import type { Membership } from '../settings.js';
import { raiseReplicas } from '../storage.js';
import { EventSource } from './event-source.js';
import { JobTaker } from './job-taker.js';
import type { LocalRuns } from './local-runs.js';
import { pause } from './pause.js';
import { FleetService } from './service.js';

export interface MemberParts {
  runs: LocalRuns;
  /** Whether this machine is still a member with these settings. */
  isWanted(): boolean;
  /** One line for the log of the daemon. */
  log(line: string): void;
}

const retryMs = 5000;
const connecting = 'connecting';

/** This machine as a member of a fleet, from joining to leaving. A server that goes away is waited for. */
export class FleetMember {
  readonly membership: Membership;
  readonly #parts: MemberParts;
  readonly #stopped = new AbortController();
  readonly #life: Promise<void>;
  #connection: NatsConnection | null = null;
  #takes: JobTaker | null = null;
  #isLeaving = false;
  #refused: Error | null = null;
  /** Why it is not a member now, as a message; null: it is one. */
  trouble: string | null = connecting;

  constructor(membership: Membership, parts: MemberParts) {
    this.membership = membership;
    this.#parts = parts;
    this.#life = this.#live();
  }

  /** The same, without the time of its first attempt. */
  get lastTrouble(): string | null {
    return this.trouble === connecting ? null : this.trouble;
  }

  /** This machine leaves the fleet: its key goes at once. */
  async leave(): Promise<void> {
    this.#isLeaving = true;
    await this.close();
  }

  /** The daemon ends: the next one takes the seat again. */
  async close(): Promise<void> {
    this.#stopped.abort();
    await this.#life;
  }

  async #live(): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      try {
        await this.#connectAndServe(signal);
      } catch (error) {
        if (signal.aborted) return;
        this.#report((explained(this.membership, this.#refused ?? error) as Error).message);
        await this.#connection?.close().catch(() => {});
        await pause(retryMs, signal);
      }
    }
  }

  #report(trouble: string | null): void {
    if (trouble !== this.trouble) this.#parts.log(`fleet: ${trouble ?? `joined ${this.membership.url}`}`);
    this.trouble = trouble;
  }

  async #connectAndServe(signal: AbortSignal): Promise<void> {
    const { membership } = this;
    const connection = await connectFleet(membership, { name: `unstuck ${membership.name}` });
    this.#connection = connection;
    this.#refused = null;
    void this.#closeWhenRefused(connection);
    const names = fleetNames(membership.fleet);
    const members = await openMembers(connection, names);
    const clock = await ServerClock.read(connection, names);
    // Before anything is answered or taken under this name.
    const joining = { ...this.#record(), isJoining: true as const };
    const revision = await writeHost(members, joining, 0, clock.nowMs());
    const context = { connection, membership, names, clock, ...this.#parts };
    const service = new FleetService(context);
    const takes = new JobTaker(context);
    const events = new EventSource(context);
    this.#takes = takes;
    try {
      await service.begin();
      await takes.begin();
      await events.begin();
      await raiseReplicas(connection, names.streams);
      const renew = (before: number) => writeHost(members, this.#record(), before, clock.nowMs());
      await this.#renewWhileConnected(connection, revision, renew, signal);
      if (this.#isLeaving) await this.#sayGoodbye(members);
    } finally {
      this.#takes = null;
      service.end();
      // Some waits of the library do not end with the connection. What is left stops at its next step.
      await Promise.race([Promise.allSettled([takes.end(), events.end()]), connection.closed()]);
      await connection.close().catch(() => {});
    }
  }

  /** A login that may not subscribe to what a member answers would be listed, and never answer. */
  async #closeWhenRefused(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) {
      const { error } = status as { error?: Error & { operation?: string } };
      if (error?.name !== 'PermissionViolationError' || error.operation !== 'subscription') continue;
      this.#refused = error;
      await connection.close().catch(() => {});
    }
  }

  /** Until the connection is lost or this machine leaves. */
  async #renewWhileConnected(
    connection: NatsConnection,
    joinedAs: number,
    renew: (revision: number) => Promise<number>,
    signal: AbortSignal,
  ): Promise<void> {
    let revision = joinedAs;
    const lost = new AbortController();
    const closed = connection.closed().then((error) => {
      lost.abort();
      return error;
    });
    const either = AbortSignal.any([signal, lost.signal]);
    while (!either.aborted) {
      // A machine that has just left must not appear again.
      if (this.#parts.isWanted()) {
        revision = await renew(revision);
        this.#report(null);
      }
      await pause(renewEveryMs, either);
    }
    if (signal.aborted) return;
    throw (await closed) ?? new Error('the connection to the NATS server was lost');
  }

  /** Its key goes at once, so that no list shows a host that has left. */
  async #sayGoodbye(members: KV): Promise<void> {
    await removeHost(members, this.membership).catch(() => {});
  }

  #record(): HostRecord {
    const { name, id, labels, slots, accept } = this.membership;
    return {
      name,
      id,
      version: __UNSTUCK_VERSION__,
      labels,
      slots,
      accept: accept.kinds,
      runs: this.#parts.runs.live(),
      jobs: this.#takes?.running ?? 0,
    };
  }
}
