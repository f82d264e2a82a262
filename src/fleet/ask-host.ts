import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { Failure } from '../model/failure.js';
import { newInbox } from './inbox.js';
import type { FleetNames } from './names.js';
import {
  AnswerParts,
  encodeJson,
  type FleetAnswer,
  outputOf,
  parsePart,
  partHeader,
  wireVersion,
  workingEveryMs,
} from './wire.js';

/** A host that works says so every few seconds. */
const silenceMsMax = 3 * workingEveryMs;
const headerBytes = 512;

export interface HostRequest {
  name: string;
  input: unknown;
  requestId: string;
  signal?: AbortSignal | undefined;
  inboxPrefix: string;
  /** A host that only says that it works is not waited for any longer. */
  longestMs: number;
}

/** Asks one host of the fleet for one operation. Throws a Failure as if the operation had been called here. */
export async function askHost(
  connection: NatsConnection,
  names: FleetNames,
  host: string,
  request: HostRequest,
): Promise<unknown> {
  return outputOf(host, await exchange(connection, names, host, request));
}

async function exchange(
  connection: NatsConnection,
  names: FleetNames,
  host: string,
  { name, input, requestId, signal, inboxPrefix, longestMs }: HostRequest,
): Promise<FleetAnswer> {
  signal?.throwIfAborted();
  const payload = encodeJson({ version: wireVersion, requestId, input });
  const payloadMax = (connection.info?.max_payload ?? 1024 * 1024) - headerBytes;
  if (payload.length > payloadMax) {
    throw new Failure(
      'too-large',
      `${name}: the request has ${payload.length} bytes, the NATS server takes ${payloadMax}`,
      'put the data into a file on that host, or raise max_payload of the server',
    );
  }
  const inbox = newInbox(inboxPrefix);
  const answers = connection.subscribe(inbox);
  const parts = new AnswerParts();
  const abort = () => {
    connection.publish(names.cancel(host), encodeJson({ requestId }));
    answers.unsubscribe();
  };
  signal?.addEventListener('abort', abort, { once: true });
  const subject = names.operation(host, name);
  let refused: Failure | null = null;
  const stopWatching = onRefusal(connection, subject, () => {
    refused = new Failure(
      'not-allowed',
      `the NATS server does not let this login ask ${host} for ${name}`,
      'use another login, or ask the administrator of the server to allow it',
    );
    answers.unsubscribe();
  });
  let timer = setTimeout(() => answers.unsubscribe(), silenceMsMax);
  let isLate = false;
  const end = setTimeout(() => {
    isLate = true;
    abort();
  }, longestMs);
  try {
    connection.publish(subject, payload, { reply: inbox });
    for await (const message of answers) {
      clearTimeout(timer);
      timer = setTimeout(() => answers.unsubscribe(), silenceMsMax);
      const answer = takePart(host, parts, message);
      if (answer !== null) return answer;
    }
    signal?.throwIfAborted();
    if (refused !== null) throw refused;
    if (isLate) throw late(`${host} has not finished its answer within ${longestMs / 1000} s`);
    throw away(`${host} has not answered for ${silenceMsMax / 1000} s`);
  } finally {
    clearTimeout(timer);
    clearTimeout(end);
    stopWatching();
    signal?.removeEventListener('abort', abort);
    answers.unsubscribe();
  }
}

/** The server reports a refused message only as an error of the connection. */
function onRefusal(connection: NatsConnection, subject: string, refused: () => void): () => void {
  const statuses = connection.status();
  const watch = async () => {
    for await (const status of statuses) {
      const { error } = status as { error?: { name?: string; subject?: string } };
      if (error?.name === 'PermissionViolationError' && error.subject === subject) refused();
    }
  };
  void watch();
  return () => (statuses as { stop?: () => void }).stop?.();
}

/** null: not the whole answer yet. */
function takePart(host: string, parts: AnswerParts, message: Msg): FleetAnswer | null {
  // The server itself answers so when no host listens.
  if (message.headers?.code === 503) throw away(`no host ${host} is there now`);
  const part = parsePart(message.headers?.get(partHeader) ?? '');
  return part === null ? null : parts.add(part, message.data);
}

const late = (message: string) => new Failure('busy', message, 'try again in a moment');

const away = (message: string) => new Failure('host-away', message, 'list the hosts: unstuck ps --fleet');
