import net from 'node:net';
import tls from 'node:tls';
import type { NatsConnection, NodeConnectionOptions } from '@nats-io/transport-node';
import { Failure } from '../model/failure.js';
import { inboxPrefixFor } from './inbox.js';
import { checkTls, loginOptions } from './login.js';
import { closingSockets } from './own-sockets.js';
import type { FleetAddress } from './settings.js';

/** The NATS library takes 30 ms to load: only fleets pay for it. */
export const loadNats = () => import('./nats.js');

const connectMsMax = 5000;
const pingMs = 10_000;

/**
 * Throws a Failure that says which address does not answer, or why it refuses. A connection that is lost stays lost.
 * `name` is shown by the server, for people who look there.
 */
export async function connectFleet(
  address: FleetAddress,
  { name }: { name: string },
): Promise<NatsConnection> {
  const nats = await loadNats();
  try {
    const connection = await closingSockets(() =>
      nats.connect({
        servers: address.url.split(','),
        name,
        timeout: connectMsMax,
        reconnect: false,
        pingInterval: pingMs,
        maxPingOut: 2,
        inboxPrefix: inboxPrefixFor(address.login.user),
        ...loginOptions(address.login, nats),
        ...tlsOptions(address),
      }),
    );
    void closeWhenStale(connection);
    return connection;
  } catch (error) {
    throw error instanceof Failure ? error : unreachable(address, error);
  }
}

/** The library first waits until the last bytes have left, which may never happen on a stale connection. */
async function closeWhenStale(connection: NatsConnection): Promise<void> {
  for await (const { type } of connection.status()) if (type === 'staleConnection') void connection.close();
}

/** With them a server that offers no TLS is refused. */
function tlsOptions({ url, login }: FleetAddress): Partial<NodeConnectionOptions> {
  const { tlsCa, tlsCert, tlsKey } = login;
  const isAsked = /(^|,)tls:/.test(url) || [tlsCa, tlsCert, tlsKey].some((file) => file !== undefined);
  if (!isAsked) return {};
  checkTls(login);
  const checked = { checkServerIdentity: checkIdentity(url) } as object;
  return {
    tls: {
      ...checked,
      ...(tlsCa !== undefined && { caFile: tlsCa }),
      ...(tlsCert !== undefined && { certFile: tlsCert }),
      ...(tlsKey !== undefined && { keyFile: tlsKey }),
    },
  };
}

/** For a server that is addressed by its number, Node.js compares the certificate with `localhost`. */
function checkIdentity(url: string): typeof tls.checkServerIdentity {
  const hosts = url.split(',').map((one) => one.replace(/^\w+:\/\//, '').replace(/:\d+$/, ''));
  const numbers = hosts.map((host) => host.replace(/^\[|\]$/g, '')).filter((host) => net.isIP(host) !== 0);
  return (name, certificate) => {
    if (name !== 'localhost' || hosts.includes('localhost'))
      return tls.checkServerIdentity(name, certificate);
    const errors = numbers.map((number) => tls.checkServerIdentity(number, certificate));
    return errors.includes(undefined) ? undefined : (errors[0] ?? tls.checkServerIdentity(name, certificate));
  };
}

/** Words for what the library reports. */
function unreachable({ url }: FleetAddress, error: unknown): Failure {
  const { message = String(error), code } = (error ?? {}) as { message?: string; code?: string };
  const isLogin = /authorization|authentication|nkey|jwt|credentials|checksum|seed|encoding/i.test(message);
  if (isLogin) {
    return new Failure(
      'no-fleet',
      `the NATS server at ${url} refuses this login: ${message}`,
      'check --user with --password-file, --creds or --nkey with the administrator of the server',
      { cause: error },
    );
  }
  return new Failure(
    'no-fleet',
    `cannot reach the NATS server at ${url}: ${message}`,
    hintFor(`${message} ${code ?? ''}`),
    { cause: error },
  );
}

function hintFor(text: string): string {
  if (/does not support 'tls'/.test(text))
    return 'this server has no TLS: write nats:// and leave --tls-ca, --tls-cert and --tls-key out, or switch TLS on there';
  if (/altnames/i.test(text)) return 'use the name of the server that its certificate has';
  if (/tls|ssl|certificate|self[- ]signed|issuer/i.test(text))
    return 'give the certificate of its authority: --tls-ca FILE, and your own if it asks for it: --tls-cert FILE --tls-key FILE';
  return 'check the address, and that the server runs: nats-server -js';
}
