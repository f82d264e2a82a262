import type { Consumer, ConsumerMessages, JetStreamManager, JsMsg } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { FleetEvent, GivenEvent } from './event.js';
import type { FleetNames } from './names.js';
import { ensureStream } from './storage.js';
import { parseJson } from './wire.js';

const keepMs = 7 * 24 * 3600 * 1000;
const megabyte = 1024 * 1024;
/** A server reserves it, so one with little room is asked for less. */
const keepBytes = [1024 * megabyte, 256 * megabyte, 64 * megabyte, 16 * megabyte] as const;
const noRoom: ReadonlySet<unknown> = new Set([10023, 10047]);
/** A repeat of an event within this time is dropped by the server. */
const duplicateMs = 3600 * 1000;
const eventBytesMax = 256 * 1024;
const ackWaitMs = 60_000;
const pullMs = 30_000;
const nanos = 1_000_000;

/** The stream is created by the first host. */
export async function ensureEvents(
  connection: NatsConnection,
  manager: JetStreamManager,
  names: FleetNames,
): Promise<void> {
  for (const [index, bytes] of keepBytes.entries()) {
    try {
      await ensureStream(connection, manager, {
        name: names.eventStream,
        subjects: [names.eventSubjects],
        max_age: keepMs * nanos,
        max_bytes: bytes,
        max_msg_size: eventBytesMax,
        duplicate_window: duplicateMs * nanos,
      });
      return;
    } catch (error) {
      const isLast = index === keepBytes.length - 1;
      if (isLast || !noRoom.has((error as { code?: unknown }).code)) throw error;
    }
  }
}

/** A durable position in the events. Of several processes with the same one, each event reaches one. */
export async function openConsumer(
  connection: NatsConnection,
  names: FleetNames,
  consumer: string,
): Promise<Consumer> {
  const { AckPolicy, DeliverPolicy, jetstream, jetstreamManager } = await import('./nats.js');
  const manager = await jetstreamManager(connection);
  await ensureEvents(connection, manager, names);
  await manager.consumers.add(names.eventStream, {
    durable_name: consumer,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.New,
    ack_wait: ackWaitMs * nanos,
  });
  return await jetstream(connection).consumers.get(names.eventStream, consumer);
}

/** Until aborted. An event that is not acknowledged is given again. `oneByOne`: no second event waits here for the first. */
export async function* consumeEvents(
  found: Consumer,
  names: FleetNames,
  signal: AbortSignal,
  { oneByOne = false } = {},
): AsyncGenerator<GivenEvent> {
  signal.throwIfAborted();
  for await (const message of oneByOne ? pulled(found, signal) : pushed(found, signal)) {
    const event = parseEvent(names, message.subject, parseJson(message.data));
    if (event === null) message.term();
    else {
      const againMs = growingMs(message.info.deliveryCount);
      yield {
        event,
        done: () => message.ackAck().catch(() => false),
        again: () => message.nak(againMs),
      };
    }
  }
}

/** 1 s, 2 s, 4 s … 60 s. */
export const growingMs = (failures: number) => Math.min(60_000, 1000 * 2 ** Math.min(10, failures - 1));

async function* pushed(found: Consumer, signal: AbortSignal): AsyncGenerator<JsMsg> {
  const messages: ConsumerMessages = await found.consume({ max_messages: 50 });
  const stop = () => void messages.close();
  signal.addEventListener('abort', stop, { once: true });
  try {
    yield* messages;
  } finally {
    signal.removeEventListener('abort', stop);
    await messages.close();
  }
}

async function* pulled(found: Consumer, signal: AbortSignal): AsyncGenerator<JsMsg> {
  const aborted = new Promise<null>((resolve) => {
    signal.addEventListener('abort', () => resolve(null), { once: true });
  });
  while (!signal.aborted) {
    const next = found.next({ expires: pullMs });
    next.catch(() => {});
    const message = await Promise.race([next, aborted]);
    if (message !== null) yield message;
  }
}

/**
 * null: not an event of Unstuck. The server lets a host publish below its own name only, so an event that names another
 * host than its subject is forged.
 */
export function parseEvent(names: FleetNames, subject: string, value: unknown): FleetEvent | null {
  const event = (typeof value === 'object' && value !== null ? value : {}) as Partial<FleetEvent>;
  const { kind, host, at, label, text, tags, runId, task, owner } = event;
  if (![kind, host, at, label, text].every(isText) || !Array.isArray(tags) || !tags.every(isText))
    return null;
  if (![runId, task, owner].every((value) => value === null || isText(value))) return null;
  return subject === names.eventSubject(`${host}`, `${kind}`) ? (event as FleetEvent) : null;
}

const isText = (value: unknown): value is string => typeof value === 'string';
