import type { IncomingHttpHeaders } from 'node:http';
import type { Sessions } from './sessions.js';

/** The part of a request that decides whether it is answered. */
export interface Knock {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
}

export interface Refusal {
  status: 401 | 403 | 405 | 415;
  message: string;
}

export const loginPath = '/login';

const cookiesMax = 16;
const names = ['127.0.0.1', 'localhost', '[::1]'];
/** Browsers leave it out. */
const httpPort = 80;

export const cookieName = (port: number) => `unstuck-${port}`;

/**
 * Decides about a request. null: it is answered. The host is checked because a foreign name may lead to this machine (DNS
 * rebinding), the origin because a foreign page may send requests here.
 */
export function refusalOf(
  { method, path, headers }: Knock,
  port: number,
  sessions: Sessions,
): Refusal | null {
  const { host = '', origin } = headers;
  const served = names.some((name) => host === `${name}:${port}` || (port === httpPort && host === name));
  if (!served) return { status: 403, message: 'this name is not served' };
  if (origin !== undefined && origin !== `http://${host}`) {
    return { status: 403, message: 'requests of other pages are refused' };
  }
  const isLogin = path === loginPath && method === 'GET';
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none' && !isLogin) {
    return { status: 403, message: 'requests of other pages are refused' };
  }
  if (isLogin) return null;
  if (!sessionsIn(headers, port).some((session) => sessions.has(session)))
    return { status: 401, message: 'not logged in' };
  if (method === 'GET' || method === 'HEAD') return null;
  if (method !== 'POST') return { status: 405, message: 'only GET and POST are answered' };
  if (origin === undefined) return { status: 403, message: 'the request has no origin' };
  if (!/^application\/json(?:;|$)/.test(headers['content-type'] ?? '')) {
    return { status: 415, message: 'send JSON' };
  }
  return null;
}

/** Another program on this machine can add cookies of the same name: one of them must be right. */
function sessionsIn({ cookie = '' }: IncomingHttpHeaders, port: number): string[] {
  const lead = `${cookieName(port)}=`;
  return cookie
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(lead))
    .slice(0, cookiesMax)
    .map((part) => part.slice(lead.length));
}

/** For every answer: nothing is loaded from elsewhere, nothing is shown inside another page. */
export const safeHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const;
