import fs from 'node:fs';
import { mapReading, type Reading, readingOf } from '../model/facts/reading.js';
import { Failure } from '../model/failure.js';
import { daemonFile } from '../store/daemon-files.js';
import { writeWhole } from '../store/files.js';
import { type Accept, parseAccept } from './accept.js';
import { checkName, isName } from './names.js';
import { parseJson } from './wire.js';

/** How this machine proves its identity to the NATS server. Files are absolute paths. */
export interface FleetLogin {
  user?: string;
  password?: string;
  /** Read at every connection; used instead of `password`. */
  passwordFile?: string;
  token?: string;
  /** A credentials file (JWT and seed), as `nsc` writes it. */
  creds?: string;
  /** A file with the seed of an nkey. */
  nkey?: string;
  tlsCa?: string;
  tlsCert?: string;
  tlsKey?: string;
}

/** Where a fleet is, and how to enter it. */
export interface FleetAddress {
  /** Server addresses without a password, separated by commas. */
  url: string;
  fleet: string;
  login: FleetLogin;
}

/** A machine that has joined, as stored in its state home. */
export interface Membership extends FleetAddress {
  name: string;
  /** Made when the machine joined: tells two machines with one name apart. */
  id: string;
  accept: Accept;
  /** Jobs of the queue at the same time; 0: none. */
  slots: number;
  labels: string[];
}

export const fleetDefault = 'default';
const bytesMax = 64 * 1024;
export const slotsMax = 1000;

/** null: this machine has not joined a fleet. Unknown: its file is there, and cannot be used. */
export function membershipReading(home: string): Reading<Membership | null> {
  const file = daemonFile(home, 'fleet');
  const bytes = readingOf(() => {
    const stat = fs.statSync(file);
    // Reading a FIFO would never end.
    return stat.isFile() && stat.size <= bytesMax ? fs.readFileSync(file) : Buffer.alloc(0);
  }, null);
  if (bytes.kind === 'unknown' || bytes.value === null) return mapReading(bytes, () => null);
  const membership = parseMembership(parseJson(bytes.value));
  return membership === null
    ? { kind: 'unknown', reason: 'it is damaged' }
    : { kind: 'known', value: membership };
}

/** null: this machine has not joined a fleet. Throws a Failure when its file cannot be used. */
export function readMembership(home: string): Membership | null {
  const saved = membershipReading(home);
  if (saved.kind === 'known') return saved.value;
  throw new Failure(
    'cannot-read',
    unusableFile(home, saved.reason),
    'unstuck leave removes it, then join again: unstuck join nats://SERVER --name NAME',
  );
}

export const unusableFile = (home: string, reason: string) =>
  `${daemonFile(home, 'fleet')} cannot be used: ${reason}`;

export function writeMembership(home: string, membership: Membership): void {
  writeWhole(daemonFile(home, 'fleet'), membership);
}

export function removeMembership(home: string): void {
  const file = daemonFile(home, 'fleet');
  try {
    fs.rmSync(file, { force: true });
  } catch (error) {
    throw new Failure(
      'cannot-write',
      `cannot remove ${file}: ${(error as Error).message}`,
      'remove it by hand',
    );
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const loginKeys = [
  'user',
  'password',
  'passwordFile',
  'token',
  'creds',
  'nkey',
  'tlsCa',
  'tlsCert',
  'tlsKey',
] as const;

/** null: not the content of such a file. */
export function parseMembership(value: unknown): Membership | null {
  if (typeof value !== 'object' || value === null) return null;
  const { url, fleet, name, id, slots, labels, accept, login } = value as Record<keyof Membership, unknown>;
  if (!isText(url) || !isText(fleet) || !isName(fleet) || !isText(name) || !isName(name)) return null;
  if (!isText(id)) return null;
  const parsed = parseAccept(accept);
  if (parsed === null || !Number.isInteger(slots) || !Array.isArray(labels)) return null;
  return {
    url,
    fleet,
    name,
    id,
    accept: parsed,
    slots: Math.min(slotsMax, Math.max(0, slots as number)),
    labels: labels.filter((label): label is string => isText(label) && isLabel(label)),
    login: parseLogin(login),
  };
}

function parseLogin(value: unknown): FleetLogin {
  const given = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const known = loginKeys.flatMap((key) => (isText(given[key]) ? [[key, given[key]]] : []));
  return Object.fromEntries(known) as FleetLogin;
}

/** `gpu`, or `arch=arm64`. */
export const isLabel = (label: string) => /^[A-Za-z0-9][\w-]{0,62}(=[A-Za-z0-9][\w-]{0,62})?$/.test(label);

const oneOf = (env: NodeJS.ProcessEnv, name: string) => env[`UNSTUCK_FLEET_${name}`] || undefined;

/** From the environment, for machines that only ask; null: UNSTUCK_FLEET_URL is not set. */
export function addressFromEnv(env: NodeJS.ProcessEnv): FleetAddress | null {
  const url = oneOf(env, 'URL');
  if (url === undefined) return null;
  const login = {
    user: oneOf(env, 'USER'),
    password: oneOf(env, 'PASSWORD'),
    passwordFile: oneOf(env, 'PASSWORD_FILE'),
    token: oneOf(env, 'TOKEN'),
    creds: oneOf(env, 'CREDS'),
    nkey: oneOf(env, 'NKEY'),
    tlsCa: oneOf(env, 'TLS_CA'),
    tlsCert: oneOf(env, 'TLS_CERT'),
    tlsKey: oneOf(env, 'TLS_KEY'),
  };
  const fleet = checkName('fleet', oneOf(env, 'NAME') ?? fleetDefault);
  return withoutPassword({ url, fleet, login: parseLogin(login) });
}

/** As it is where it is not encoded. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** `https` would promise what is not there: whether the connection is encrypted is decided by `tls` alone. */
const schemes: ReadonlySet<string> = new Set(['nats', 'tls']);

/** Moves a password out of the address, so that no message or list shows it. */
export function withoutPassword(address: FleetAddress): FleetAddress {
  const login = { ...address.login };
  const urls = address.url.split(',').map((part, index) => {
    const match = /^(?:([a-z]+):\/\/)?(?:(.*)@)?([^@]*)$/is.exec(part.trim());
    const [, given, userInfo, host = part] = match ?? [];
    const scheme = given?.toLowerCase() ?? 'nats';
    // The comma may be one of the password: what is before it would be shown as an address.
    if (index > 0 && given === undefined && userInfo !== undefined) {
      throw new Failure(
        'bad-input',
        'a comma in the address is inside a login, or an address after it has no scheme',
        'write a comma of a password as %2C, and nats:// before each address; or use --password-file',
      );
    }
    if (userInfo !== undefined) {
      const [user = '', ...password] = userInfo.split(':');
      if (password.length === 0) login.token ??= decoded(user);
      else {
        login.user ??= decoded(user);
        login.password ??= decoded(password.join(':'));
      }
    }
    if (!schemes.has(scheme)) {
      throw new Failure(
        'bad-input',
        `${scheme}:// is not the address of a NATS server`,
        'write nats://SERVER:4222, or tls://SERVER:4222',
      );
    }
    return `${scheme}://${host}`;
  });
  return { ...address, url: urls.join(','), login };
}
