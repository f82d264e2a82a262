import fs from 'node:fs';
import path from 'node:path';
import { nearest } from '../../config/nearest.js';
import { Failure } from '../../model/failure.js';
import { type NoticeKind, noticeEvents, noticeKinds } from '../../model/notice.js';
import { printable } from '../../text/printable.js';
import { parseWebhookUrl } from '../webhook-url.js';
import { matchers, type Route, type RouteTarget, targetKinds } from './route.js';

const bytesMax = 64 * 1024;
const routesMax = 64;
const textMax = 4096;
/** Commands in the file are executed, and addresses in it are secrets. */
const othersMayWrite = 0o022;
const namePattern = /^[a-z0-9][a-z0-9_-]{0,39}$/i;

const example = '{"routes": {"team": {"tag": "team=*", "slack": "https://…"}}}';

/** The routes of a file; none: there is no such file. Throws a Failure that names the place of the fault. */
export function readRoutes(file: string): Route[] {
  const text = readText(file);
  if (text === null) return [];
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw wrong(file, `is not JSON (${printable((error as Error).message)})`, example);
  }
  const { routes, ...others } = asObject(content, (hint) => wrong(file, 'is no JSON object', hint));
  const [stranger] = Object.keys(others);
  if (stranger !== undefined) throw wrong(file, `has an unknown key ${shown(stranger)}`, example);
  const entries = Object.entries(
    asObject(routes ?? {}, (hint) => wrong(file, 'routes is not an object', hint)),
  );
  if (entries.length > routesMax) throw wrong(file, `has more than ${routesMax} routes`, 'merge some');
  return entries.map(([name, value]) => {
    const fail = (what: string, hint: string) => wrong(file, `route ${shown(name)}: ${what}`, hint);
    if (!namePattern.test(name)) throw fail('is not a name', 'use up to 40 letters, digits, - and _');
    return routeOf(
      name,
      asObject(value, (hint) => fail('is not an object', hint)),
      fail,
    );
  });
}

type Fail = (what: string, hint: string) => Failure;
type Fields = Record<string, unknown>;

const keys = [...matchers, 'kinds', 'secretFile', ...targetKinds];

function routeOf(name: string, fields: Fields, fail: Fail): Route {
  for (const key of Object.keys(fields)) {
    if (keys.some((one) => one === key)) continue;
    const near = nearest(key, keys);
    throw fail(
      `unknown key ${shown(key)}`,
      near === null ? `use: ${keys.join(', ')}` : `did you mean ${near}?`,
    );
  }
  const match = Object.fromEntries(
    matchers.flatMap((key) => (key in fields ? [[key, textOf(fields, key, fail)]] : [])),
  );
  return { name, match, kinds: kindsOf(fields.kinds, fail), target: targetOf(fields, fail) };
}

function kindsOf(value: unknown, fail: Fail): readonly NoticeKind[] {
  if (value === undefined) return noticeEvents;
  const isKind = (one: unknown): one is NoticeKind => noticeKinds.some((kind) => kind === one);
  if (Array.isArray(value) && value.length > 0 && value.every(isKind)) return value;
  throw fail('kinds is not a list of kinds', `use some of: ${noticeKinds.join(', ')}`);
}

function targetOf(fields: Fields, fail: Fail): RouteTarget {
  const [kind, ...more] = targetKinds.filter((one) => one in fields);
  if (kind === undefined || more.length > 0) {
    throw fail(
      kind === undefined ? 'has no target' : 'has two targets',
      `give one of: ${targetKinds.join(', ')}`,
    );
  }
  if (kind !== 'webhook' && 'secretFile' in fields) {
    throw fail('secretFile belongs to a webhook', 'leave it out');
  }
  if (kind === 'command') return { kind, line: textOf(fields, kind, fail) };
  if (kind === 'telegram')
    return telegramOf(
      asObject(fields.telegram, (hint) => fail('telegram is not an object', hint)),
      fail,
    );
  const url = urlOf(textOf(fields, kind, fail), fail);
  if (kind !== 'webhook') return { kind, url };
  return { kind, url, secretFile: 'secretFile' in fields ? pathOf(fields, 'secretFile', fail) : null };
}

function telegramOf(fields: Fields, fail: Fail): RouteTarget {
  const { api = 'https://api.telegram.org' } = fields;
  return {
    kind: 'telegram',
    tokenFile: pathOf(fields, 'tokenFile', fail),
    chat: textOf(fields, 'chat', fail),
    api: urlOf(textOf({ api }, 'api', fail), fail),
  };
}

function urlOf(text: string, fail: Fail): string {
  try {
    return parseWebhookUrl(text).href;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw fail(error.message, error.hint);
  }
}

function pathOf(fields: Fields, key: string, fail: Fail): string {
  const file = textOf(fields, key, fail);
  if (path.isAbsolute(file)) return file;
  throw fail(`${key} is a relative path`, 'give an absolute one');
}

function textOf(fields: Fields, key: string, fail: Fail): string {
  const value = fields[key];
  if (typeof value === 'string' && value !== '' && value.length <= textMax && !value.includes('\0'))
    return value;
  throw fail(`${key} is not a text`, `write it as a text of at most ${textMax} characters`);
}

function asObject(value: unknown, fail: (hint: string) => Failure): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw fail(`for example: ${example}`);
}

/** null: there is no file. */
function readText(file: string): string | null {
  let fd: number;
  try {
    fd = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw wrong(file, `cannot be read (${code})`, 'make it readable for yourself');
  }
  try {
    const { size, mode, uid } = fs.fstatSync(fd);
    if (size > bytesMax) throw wrong(file, `has more than ${bytesMax} bytes`, 'keep only routes in it');
    if ((uid !== 0 && uid !== process.getuid?.()) || (mode & othersMayWrite) !== 0) {
      throw wrong(file, 'can be changed by other users, so it is not used', `chmod 600 ${printable(file)}`);
    }
    const bytes = Buffer.alloc(bytesMax);
    return bytes.toString('utf8', 0, fs.readSync(fd, bytes, 0, bytesMax, 0));
  } finally {
    fs.closeSync(fd);
  }
}

function shown(text: string): string {
  return printable(JSON.stringify(text.slice(0, 60)));
}

function wrong(file: string, what: string, hint: string): Failure {
  return new Failure('bad-config', `${printable(file)} ${what}`, hint);
}
