import type { Consumer } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { ensureEvents } from '../events.js';
import type { FleetNames } from '../names.js';
import { JobStore } from '../queue/job-store.js';
import { QueueStore } from '../queue/queue-store.js';
import type { MemberContext } from './member-context.js';

/** The records of jobs and of queues. */
export interface Stores {
  jobs: JobStore;
  queues: QueueStore;
  /** By subject, while jobs wait there: to open one takes longer than to take a job. */
  consumers: Map<string, Promise<Consumer>>;
  /** By subject, the number of the last message that this host has looked at in the stream. */
  lookedAt: Map<string, number>;
}

export async function openStores({ connection, names }: MemberContext): Promise<Stores> {
  const jobs = await JobStore.open(connection, names);
  return {
    jobs,
    queues: await QueueStore.open(connection, names),
    consumers: new Map(),
    lookedAt: new Map(),
  };
}

/** Everything on the server that a member needs besides the list of members, made where it is missing. */
export async function openStorage(connection: NatsConnection, names: FleetNames): Promise<void> {
  const { manager } = await JobStore.open(connection, names);
  await QueueStore.open(connection, names);
  await ensureEvents(connection, manager, names);
}
