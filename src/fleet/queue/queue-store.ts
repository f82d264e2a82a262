import { setTimeout as delay } from 'node:timers/promises';
import type { KV } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import { Failure } from '../../model/failure.js';
import { jsonOf } from '../hosts.js';
import type { FleetNames } from '../names.js';
import { isConflict, openBucket } from '../storage.js';
import { nextQueue, noQueueRecord, parseQueue, type QueueEvent, type QueueRecord } from './queue-record.js';

const recordBytesMax = 512 * 1024;
const changesMax = 50;
const conflictMsMax = 100;
const keyOf = (queue: string) => `queue.${queue}`;

/** Priorities and limits of queues, and which jobs use up a limit. */
export class QueueStore {
  readonly #bucket: KV;

  private constructor(bucket: KV) {
    this.#bucket = bucket;
  }

  static async open(connection: NatsConnection, names: FleetNames): Promise<QueueStore> {
    return new QueueStore(await openBucket(connection, names.queues, { valueBytesMax: recordBytesMax }));
  }

  async read(queue: string): Promise<QueueRecord> {
    return (await this.#entry(queue)).record;
  }

  /** The record after the event, or as it is when the event does not apply. */
  async change(queue: string, event: QueueEvent): Promise<{ record: QueueRecord; changed: boolean }> {
    for (let tries = 0; tries < changesMax; tries += 1) {
      const { record, revision } = await this.#entry(queue);
      const next = nextQueue(record, event);
      if (next === null) return { record, changed: false };
      try {
        await this.#bucket.put(keyOf(queue), JSON.stringify(next), { previousSeq: revision });
        return { record: next, changed: true };
      } catch (error) {
        if (!isConflict(error)) throw error;
        await delay(Math.random() * conflictMsMax);
      }
    }
    throw new Failure('no-fleet', `queue ${queue} is changed by too many machines at once`, 'try again');
  }

  async #entry(queue: string): Promise<{ record: QueueRecord; revision: number }> {
    const entry = await this.#bucket.get(keyOf(queue));
    const record = entry?.operation === 'PUT' ? parseQueue(jsonOf(entry)) : null;
    return { record: record ?? noQueueRecord, revision: entry?.revision ?? 0 };
  }

  /** One host at a time does a duty; a holder whose turn was not renewed since `oldMs` has lost it. */
  async takeTurn(duty: string, host: string, oldMs: number): Promise<boolean> {
    const entry = await this.#bucket.get(duty);
    const holder = entry?.operation === 'PUT' ? (jsonOf(entry) as { host?: unknown } | undefined) : undefined;
    const isOld = entry === null || entry.created.getTime() < oldMs;
    if (holder?.host !== host && !isOld) return false;
    try {
      await this.#bucket.put(duty, JSON.stringify({ host }), { previousSeq: entry?.revision ?? 0 });
      return true;
    } catch {
      return false;
    }
  }
}
