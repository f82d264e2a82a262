import dns from 'node:dns';
import fs from 'node:fs';
import type { LookupFunction } from 'node:net';
import net from 'node:net';
import { Failure } from '../model/failure.js';

const urlMax = 4096;

const loopback = new net.BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** https to any host; without encryption only to this machine. Throws a Failure that shows nothing of the path. */
export function parseWebhookUrl(text: string): URL {
  const url = text.length <= urlMax ? tryUrl(text) : null;
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && mayBeLoopback(url.hostname))) return url;
  throw new Failure(
    'bad-input',
    url === null ? 'the webhook is not a URL' : `the webhook ${shownUrl(url)} is not encrypted`,
    'use https://…, or http://127.0.0.1:PORT/… for a server on this machine',
  );
}

function tryUrl(text: string): URL | null {
  try {
    const url = new URL(text);
    // Node decodes them in the same way for each request, and throws.
    for (const part of [url.username, url.password]) decodeURIComponent(part);
    return url;
  } catch {
    return null;
  }
}

/** The path of a webhook is often its secret, and so is the part before the @. */
export function shownUrl({ protocol, host }: URL): string {
  return `${protocol}//${host}/…`;
}

function mayBeLoopback(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '');
  const family = net.isIP(address);
  return family === 0 ? address === 'localhost' : isLoopback(address, family);
}

function isLoopback(address: string, family: number): boolean {
  return loopback.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** A slow lookup blocks one of Node's few threads. All webhooks together have at most one lookup at a time. */
let last: Promise<unknown> = Promise.resolve();
/** Lookups in progress, so that no name is looked up twice at a time. */
const asked = new Map<string, Promise<dns.LookupAddress[]>>();

function addressesOf(hostname: string): Promise<dns.LookupAddress[]> {
  const before = asked.get(hostname);
  if (before !== undefined) return before;
  const answer = last.then(() => dns.promises.lookup(hostname, { all: true, verbatim: true }));
  asked.set(hostname, answer);
  last = answer.catch(() => {}).finally(() => asked.delete(hostname));
  return answer;
}

/** Addresses for a name; for http only addresses of this machine, whatever the name is. */
export function lookupFor({ protocol }: URL): LookupFunction {
  return (hostname, { all }, callback) => {
    const fail = (error: NodeJS.ErrnoException) => callback(error, '', 0);
    addressesOf(hostname).then((found) => {
      const right = found.filter(
        ({ address, family }) => protocol === 'https:' || isLoopback(address, family),
      );
      const [first] = right;
      if (first === undefined) {
        fail(Object.assign(new Error('not this machine'), { code: 'ENOTLOOPBACK' }));
      } else if (all === true) callback(null, right);
      else callback(null, first.address, first.family);
    }, fail);
  };
}

const secretBytesMax = 4096;
const othersBits = 0o077;

const { O_RDONLY, O_NONBLOCK } = fs.constants;

/** The secret of a webhook, read each time because it may change. Throws an error that states what to do. */
export function readSecret(file: string): Buffer {
  let fd: number;
  try {
    // Without O_NONBLOCK, opening a FIFO would wait for a writer.
    fd = fs.openSync(file, O_RDONLY | O_NONBLOCK);
  } catch (error) {
    throw new Error(`the secret ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  try {
    const stat = fs.fstatSync(fd);
    if (!stat.isFile()) throw new Error(`the secret ${file} is not a file`);
    if ((stat.mode & othersBits) !== 0) {
      throw new Error(`others may read the secret ${file}, so it is not used: chmod 600 it`);
    }
    if (stat.size > secretBytesMax) {
      throw new Error(`the secret ${file} is longer than ${secretBytesMax} bytes`);
    }
    const bytes = Buffer.alloc(secretBytesMax);
    const secret = withoutNewline(bytes.subarray(0, fs.readSync(fd, bytes, 0, secretBytesMax, 0)));
    if (secret.length === 0) throw new Error(`the secret ${file} is empty`);
    return secret;
  } finally {
    fs.closeSync(fd);
  }
}

/** An editor or `echo` ends the file with a newline. */
function withoutNewline(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && (bytes[end - 1] === 10 || bytes[end - 1] === 13)) end -= 1;
  return bytes.subarray(0, end);
}
