import type { JetStreamManager, StreamConfig } from '@nats-io/jetstream';
import type { KV, KvEntry } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import { Failure } from '../model/failure.js';

/** In a cluster everything is kept by three servers: one of them may be lost. */
const clusterReplicas = 3;

type NewStream = Partial<StreamConfig> & Pick<StreamConfig, 'name'>;

interface BucketOptions {
  ttlMs?: number;
  valueBytesMax: number;
}

const isCluster = (connection: NatsConnection) => connection.info?.cluster !== undefined;

/** JetStream errors for a cluster that has fewer servers now. */
const tooFewServers: ReadonlySet<unknown> = new Set([10005, 10023, 10074]);
const streamNotFound = 10059;

const codeOf = (error: unknown) => (error as { code?: unknown }).code;

/** One copy is better than none; a member raises it later. */
async function replicated<T>(
  connection: NatsConnection,
  create: (replicas: number) => Promise<T>,
): Promise<T> {
  if (!isCluster(connection)) return await create(1);
  try {
    return await create(clusterReplicas);
  } catch (error) {
    if (!tooFewServers.has(codeOf(error))) throw error;
    return await create(1);
  }
}

/** Created by the first machine that opens it. Values are read from the leader: a copy may be old. */
export async function openBucket(
  connection: NatsConnection,
  name: string,
  { ttlMs, valueBytesMax }: BucketOptions,
): Promise<KV> {
  const { Kvm } = await import('./nats.js');
  return await replicated(connection, (replicas) =>
    new Kvm(connection).create(name, {
      replicas,
      history: 1,
      allow_direct: false,
      maxValueSize: valueBytesMax,
      ...(ttlMs !== undefined && { ttl: ttlMs }),
    }),
  );
}

const silentMsMax = 5000;
const readsMax = 6;

/**
 * The last value of every key. In a cluster any server may send the list, and after it was killed its copy may lack records
 * for ever: the leader says how many there are, and which is the newest. A list that has fewer is asked for again.
 */
export async function readBucket(bucket: KV): Promise<KvEntry[]> {
  let complete: KvEntry[] | null = null;
  for (let reads = 0; reads < readsMax; reads += 1) {
    const { messages, last_seq: newest } = (await bucket.status()).streamInfo.state;
    const entries = await readOnce(bucket);
    if (entries === null || entries.length < messages) continue;
    complete = entries;
    if (messages === 0 || entries.some(({ revision }) => revision >= newest)) return entries;
  }
  // The newest may have been deleted by an administrator.
  if (complete !== null) return complete;
  const message = 'the NATS server has not sent the whole list';
  throw new Failure('no-fleet', message, 'try again; see the server: unstuck doctor --fleet');
}

/** null: the server became silent before the end. */
async function readOnce(bucket: KV): Promise<KvEntry[] | null> {
  // A key that is written meanwhile comes twice.
  const entries = new Map<string, KvEntry>();
  const history = await bucket.history();
  let isSilent = false;
  const silence = setTimeout(() => {
    isSilent = true;
    history.stop();
  }, silentMsMax);
  try {
    for await (const entry of history) {
      silence.refresh();
      entries.set(entry.key, entry);
    }
  } finally {
    clearTimeout(silence);
    history.stop();
  }
  return isSilent ? null : [...entries.values()];
}

/** Created by the first machine that needs it. */
export async function ensureStream(
  connection: NatsConnection,
  manager: JetStreamManager,
  config: NewStream,
): Promise<void> {
  try {
    await manager.streams.info(config.name);
  } catch (error) {
    if (codeOf(error) !== streamNotFound) throw error;
    await replicated(connection, (replicas) => manager.streams.add({ ...config, num_replicas: replicas }));
  }
}

/** For streams that were created before the server became a cluster, or while it had fewer servers. */
export async function raiseReplicas(connection: NatsConnection, streams: readonly string[]): Promise<void> {
  if (!isCluster(connection)) return;
  const { jetstreamManager } = await import('./nats.js');
  const manager = await jetstreamManager(connection);
  for (const name of streams) {
    const { config } = await manager.streams.info(name);
    if (config.num_replicas >= clusterReplicas) continue;
    // It works with one copy too: the next member tries again.
    await manager.streams.update(name, { num_replicas: clusterReplicas }).catch(() => {});
  }
}

/** The JetStream errors for a change of an older revision. */
const wrongRevision: ReadonlySet<unknown> = new Set([10071, 10164]);

export const isConflict = (error: unknown) => wrongRevision.has(codeOf(error));
