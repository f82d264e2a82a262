import { randomUUID } from 'node:crypto';
import type { NatsConnection } from '@nats-io/transport-node';
import type { FleetNames } from './names.js';

/** A consumer that no program uses goes away after this time. */
const unusedMs = 1000;
const nanos = 1_000_000;

/**
 * The clock of the NATS server, which dates every record. Clocks of machines may differ from it by hours, so no age is
 * taken from them.
 */
export class ServerClock {
  readonly #ask: () => Promise<number>;
  /** Server time less the time that this process has run. */
  #offsetMs = 0;

  private constructor(ask: () => Promise<number>) {
    this.#ask = ask;
  }

  /** The bucket of members must exist. */
  static async read(connection: NatsConnection, names: FleetNames): Promise<ServerClock> {
    const clock = new ServerClock(() => askTime(connection, names));
    await clock.refresh();
    return clock;
  }

  /** After a suspend of this machine the time is behind until this is called: no host is given up too early. */
  async refresh(): Promise<void> {
    this.#offsetMs = (await this.#ask()) - performance.now();
  }

  nowMs(): number {
    return this.#offsetMs + performance.now();
  }

  now(): string {
    return new Date(this.nowMs()).toISOString();
  }
}

/** Servers before 2.10 tell the time only in the date of something new. A viewer may create a consumer of members. */
async function askTime(connection: NatsConnection, names: FleetNames): Promise<number> {
  const { AckPolicy, DeliverPolicy, jetstreamManager } = await import('./nats.js');
  const manager = await jetstreamManager(connection);
  const { created } = await manager.consumers.add(`KV_${names.members}`, {
    name: `time_${randomUUID()}`,
    ack_policy: AckPolicy.None,
    deliver_policy: DeliverPolicy.New,
    inactive_threshold: unusedMs * nanos,
    mem_storage: true,
    num_replicas: 1,
  });
  return Date.parse(created);
}
