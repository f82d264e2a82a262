import fs from 'node:fs';
import tls from 'node:tls';
import type { Authenticator, NodeConnectionOptions } from '@nats-io/transport-node';
import { Failure } from '../model/failure.js';
import type { FleetLogin } from './settings.js';

const loginBytesMax = 64 * 1024;

type Nats = Pick<typeof import('./nats.js'), 'credsAuthenticator' | 'nkeyAuthenticator'>;

/** Throws a Failure for what cannot be a login, whatever the server says. */
export function loginOptions(login: FleetLogin, nats: Nats): Partial<NodeConnectionOptions> {
  checkUser(login);
  const { user, token, creds, nkey } = login;
  const authenticators: Authenticator[] = [];
  if (creds !== undefined) {
    const content = readLogin('creds', creds);
    authenticators.push(usable('creds', creds, () => nats.credsAuthenticator(content)));
  }
  if (nkey !== undefined) {
    const seed = new TextEncoder().encode(readLogin('nkey', nkey).toString().trim());
    authenticators.push(usable('nkey', nkey, () => nats.nkeyAuthenticator(seed)));
  }
  return {
    ...(user !== undefined && { user, pass: passwordOf(login) }),
    ...(token !== undefined && { token }),
    ...(authenticators[0] !== undefined && { authenticator: authenticators }),
  };
}

/** With a file of keys, the user only names the inbox. */
function checkUser({ user, password, passwordFile, creds, nkey }: FleetLogin): void {
  const hasPassword = password !== undefined || passwordFile !== undefined;
  if (user === undefined && hasPassword) {
    throw new Failure(
      'bad-input',
      'the login has a password and no user name',
      'add it: --user NAME, or UNSTUCK_FLEET_USER',
    );
  }
  if (user !== undefined && !hasPassword && creds === undefined && nkey === undefined) {
    throw new Failure(
      'bad-input',
      `the login has a user name, ${JSON.stringify(user)}, and no password`,
      'add it: --password-file FILE, or UNSTUCK_FLEET_PASSWORD',
    );
  }
}

/** The library reads the file only when the server asks: it is tried before. */
function usable(what: string, file: string, make: () => Authenticator): Authenticator {
  try {
    const authenticator = make();
    authenticator('nonce');
    return authenticator;
  } catch (error) {
    throw unusable(what, file, (error as Error).message);
  }
}

function passwordOf({ password = '', passwordFile }: FleetLogin): string {
  if (passwordFile === undefined) return password;
  const text = readLogin('password-file', passwordFile)
    .toString()
    .replace(/\r?\n$/, '');
  if (text === '') throw unusable('password-file', passwordFile, 'it is empty');
  return text;
}

/** Throws a Failure for files that cannot be read, or are neither a certificate nor a key. */
export function checkTls({ tlsCa, tlsCert, tlsKey }: FleetLogin): void {
  const ca = tlsCa === undefined ? {} : { ca: readLogin('tls-ca', tlsCa) };
  const cert = tlsCert === undefined ? {} : { cert: readLogin('tls-cert', tlsCert) };
  const key = tlsKey === undefined ? {} : { key: readLogin('tls-key', tlsKey) };
  try {
    tls.createSecureContext({ ...ca, ...cert, ...key });
  } catch (error) {
    throw new Failure(
      'no-fleet',
      `the files for TLS on this machine cannot be used: ${(error as Error).message}`,
      'check --tls-ca, --tls-cert and --tls-key: each is a file in PEM format, and the key is that of the certificate',
    );
  }
}

function readLogin(what: string, file: string): Buffer {
  try {
    const { size } = fs.statSync(file);
    if (size > loginBytesMax) throw new Error(`it has ${size} bytes`);
    return fs.readFileSync(file);
  } catch (error) {
    throw new Failure(
      'no-fleet',
      `cannot read the ${what} file ${file}: ${(error as Error).message}`,
      madeBy(what),
    );
  }
}

const unusable = (what: string, file: string, reason: string) =>
  new Failure('no-fleet', `the ${what} file ${file} cannot be used: ${reason}`, madeBy(what));

const madeBy = (what: string) => `give the file that the server's administrator made: --${what} FILE`;
