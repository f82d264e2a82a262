import dns from 'node:dns';
import net, { type LookupFunction } from 'node:net';
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
    url === null ? 'the webhook is no URL' : `the webhook ${shownUrl(url)} is not encrypted`,
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
