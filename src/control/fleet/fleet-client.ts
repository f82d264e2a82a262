import type { NatsConnection } from '@nats-io/transport-node';
import { askHost } from '../../fleet/ask-host.js';
import { connectFleet } from '../../fleet/connect.js';
import { explained } from '../../fleet/explained.js';
import { type Host, openMembers, readHost, readHosts } from '../../fleet/hosts.js';
import { inboxPrefixFor } from '../../fleet/inbox.js';
import { type FleetNames, fleetNames } from '../../fleet/names.js';
import { ServerClock } from '../../fleet/server-clock.js';
import type { FleetAddress } from '../../fleet/settings.js';
import { Failure } from '../../model/failure.js';
import { stateHome } from '../../store/state-home.js';
import type { CallOptions } from '../client/call-options.js';
import { checkAnswer } from './check-answer.js';
import { findAddress } from './fleet-of.js';

/** The fleet of this machine: the one that UNSTUCK_FLEET_URL names, or the one it has joined. */
export function fleetAddress(env: NodeJS.ProcessEnv = process.env, home = stateHome(env)): FleetAddress {
  const address = findAddress(env, home);
  if (address !== null) return address;
  throw new Failure(
    'no-fleet',
    'this machine is not part of a fleet',
    'join one: unstuck join nats://SERVER --name NAME; or only ask: UNSTUCK_FLEET_URL=nats://SERVER unstuck ps --fleet',
  );
}

/** A connection to the fleet of this machine, for one command. */
export class FleetClient {
  readonly connection: NatsConnection;
  readonly address: FleetAddress;
  readonly names: FleetNames;

  private constructor(connection: NatsConnection, address: FleetAddress) {
    this.connection = connection;
    this.address = address;
    this.names = fleetNames(address.fleet);
  }

  static async open(address: FleetAddress): Promise<FleetClient> {
    return new FleetClient(await connectFleet(address, { name: 'unstuck client' }), address);
  }

  async close(): Promise<void> {
    await this.connection.close().catch(() => {});
  }

  async hosts(): Promise<Host[]> {
    const members = await openMembers(this.connection, this.names);
    const clock = await ServerClock.read(this.connection, this.names);
    return await readHosts(members, clock.nowMs());
  }

  /** Does one operation on a host. A host that is away is reported with the time it was seen last. */
  async ask(host: string, name: string, input: unknown, options: AskOptions = {}): Promise<unknown> {
    const { requestId = newRequestId(), signal, longestMs = longestFor(input) } = options;
    const inboxPrefix = inboxPrefixFor(this.address.login.user);
    try {
      const request = { name, input, requestId, signal, inboxPrefix, longestMs };
      return checkAnswer(host, name, await askHost(this.connection, this.names, host, request));
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'host-away') throw error;
      throw await this.#explainAway(host, error);
    }
  }

  async #explainAway(host: string, failure: Failure): Promise<Failure> {
    try {
      const known = await readHost(await openMembers(this.connection, this.names), host);
      if (known === null) {
        return noHost(host, this.address.fleet, await this.hosts());
      }
      return new Failure(
        'host-away',
        `${failure.message}; it was seen last at ${known.seenAt}`,
        failure.hint,
      );
    } catch {
      return failure;
    }
  }
}

const namesShown = 20;

export function noHost(host: string, fleet: string, hosts: readonly Host[]): Failure {
  const names = hosts.slice(0, namesShown).map(({ name }) => name);
  const more = hosts.length > names.length ? ` and ${hosts.length - names.length} more` : '';
  const hint = names.length === 0 ? 'no host has joined yet' : `hosts: ${names.join(', ')}${more}`;
  return new Failure('host-away', `no host ${host} in the fleet ${fleet}`, hint);
}

interface AskOptions extends CallOptions {
  longestMs?: number;
}

const answerMsMax = 300_000;

/** The time that the request itself gives the host, and some more. */
function longestFor(input: unknown): number {
  const { timeoutS, waitS, graceS } = (input ?? {}) as Record<string, unknown>;
  const given = [timeoutS, waitS, graceS].filter((value): value is number => typeof value === 'number');
  return answerMsMax + 1000 * Math.max(0, ...given);
}

const newRequestId = () => `fleet-${crypto.randomUUID()}`;

/** A connection, and how many calls use it. */
interface Shared {
  opening: Promise<FleetClient>;
  uses: number;
  idle: NodeJS.Timeout | undefined;
}

const shared = new Map<string, Shared>();
/** A command that asks several times uses one connection; one that has ended is not held up for long. */
const keepMs = 200;

/** One connection per fleet and process, closed when nothing uses it any more. */
export async function withFleet<T>(
  options: CallOptions,
  work: (client: FleetClient) => Promise<T>,
): Promise<T> {
  const env = options.env ?? process.env;
  const address = fleetAddress(env, options.home ?? stateHome(env));
  const key = JSON.stringify(address);
  const own = shared.get(key) ?? openShared(key, address);
  clearTimeout(own.idle);
  own.uses += 1;
  try {
    const client = await own.opening;
    return await Promise.race([work(client), untilLost(client)]);
  } catch (error) {
    options.signal?.throwIfAborted();
    throw error instanceof Failure ? error : explained(address, error);
  } finally {
    own.uses -= 1;
    if (own.uses === 0) own.idle = setTimeout(() => closeShared(key, own), keepMs);
  }
}

function openShared(key: string, address: FleetAddress): Shared {
  const own: Shared = { opening: FleetClient.open(address), uses: 0, idle: undefined };
  shared.set(key, own);
  // A connection that is lost, or was not made, is not used again.
  const forget = () => {
    if (shared.get(key) === own) shared.delete(key);
  };
  own.opening.then(({ connection }) => connection.closed()).then(forget, forget);
  return own;
}

function closeShared(key: string, own: Shared): void {
  if (shared.get(key) === own) shared.delete(key);
  own.opening.then((client) => client.close()).catch(() => {});
}

/** Some waits of the library do not end with the connection. */
async function untilLost({ connection, address }: FleetClient): Promise<never> {
  await connection.closed();
  throw new Failure(
    'no-fleet',
    `the connection to the NATS server at ${address.url} was lost`,
    'try again; what was asked for may have been done',
  );
}
