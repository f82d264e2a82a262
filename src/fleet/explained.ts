import { Failure } from '../model/failure.js';
import type { FleetAddress } from './settings.js';

/** JetStream errors for a limit of storage, memory or an account, and for a disk that is full. */
const noRoom: ReadonlySet<unknown> = new Set([10002, 10023, 10028, 10047, 10077]);

/** JetStream errors of a cluster that has no leader. */
const noLeader: ReadonlySet<unknown> = new Set([10008, 10009]);

/** Errors of the server and of the library, in words. */
export function explained({ url }: FleetAddress, error: unknown): unknown {
  const { name = '', message = '', cause, code } = (error ?? {}) as Partial<Error> & { code?: unknown };
  const causeName = (cause as Partial<Error> | undefined)?.name ?? '';
  if (name === 'PermissionViolationError' || causeName === 'PermissionViolationError') {
    return new Failure(
      'not-allowed',
      `the NATS server does not let this login do that: ${message}`,
      'use another login, or ask the administrator of the server to allow it',
      { cause: error },
    );
  }
  if (!natsErrors.has(name)) return error;
  if (noRoom.has(code)) {
    return new Failure(
      'no-fleet',
      `JetStream of the NATS server at ${url} has no room left: ${message}`,
      'give it more: max_file in the section jetstream of the server, limits of the account, disk space',
      { cause: error },
    );
  }
  if (noLeader.has(code)) {
    return new Failure(
      'no-fleet',
      `the NATS servers at ${url} have no leader at the moment: ${message}`,
      'try again in a moment; if it lasts, see that most of the servers run: unstuck doctor --fleet',
      { cause: error },
    );
  }
  return new Failure(
    'no-fleet',
    `the NATS server at ${url} does not answer as expected: ${message}`,
    name === 'TimeoutError'
      ? 'see its log: it may be busy, without a leader, or its disk may be full'
      : 'is JetStream switched on? nats-server -js',
    { cause: error },
  );
}

/** Whether the same may work in a moment: the servers choose a leader, which some requests meet as silence. */
export function isPassing(error: unknown): boolean {
  const { code, name } = ((error as Failure).cause ?? {}) as { code?: unknown; name?: unknown };
  return (
    error instanceof Failure && error.code === 'no-fleet' && (noLeader.has(code) || name === 'TimeoutError')
  );
}

const natsErrors: ReadonlySet<string> = new Set([
  'TimeoutError',
  'RequestError',
  'NoRespondersError',
  'ClosedConnectionError',
  'ConnectionError',
  'JetStreamApiError',
  'JetStreamError',
  'JetStreamNotEnabled',
  'StreamNotFoundError',
  'ConsumerNotFoundError',
]);
