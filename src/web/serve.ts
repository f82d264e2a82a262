import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import { fleetOf } from '../control/fleet/fleet-of.js';
import { isOwnPeer } from '../control/local/own-peer.js';
import { errorAnswer } from '../daemon/error-answer.js';
import { readBody } from '../daemon/read-body.js';
import { Failure } from '../model/failure.js';
import { type Asset, loadAssets } from './assets.js';
import { openOutput, sendOutput } from './attach.js';
import { answerCall } from './calls.js';
import { EventHub } from './event-hub.js';
import { cookieName, loginPath, refusalOf, safeHeaders } from './gate.js';
import { Sessions } from './sessions.js';
import { Strangers } from './strangers.js';

/** A client that sends slowly, or nothing, is cut off; the times are checked every five seconds. */
const limits = { requestTimeout: 60_000, headersTimeout: 5000, connectionsCheckingInterval: 5000 };
const connectionsMax = 200;
const base = 'http://unstuck';

export interface WebOptions {
  /** 0: any free port. */
  port: number;
  readOnly: boolean;
  /** State home. */
  home: string;
  env: NodeJS.ProcessEnv;
}

export interface WebServer {
  /** A link that logs one browser in, once. */
  newLink(): string;
  close(): void;
}

/** Serves the dashboard on loopback until it is closed. */
export async function serveWeb({ port: wanted, readOnly, home, env }: WebOptions): Promise<WebServer> {
  const assets = loadAssets(env);
  const sessions = new Sessions();
  const host = os.hostname();
  const hello = () => {
    return { version: __UNSTUCK_VERSION__, readOnly, nowMs: Date.now(), host, fleet: fleetOf(env, home) };
  };
  const hub = new EventHub({ hello, home, env });
  const strangers = new Strangers();
  let port = wanted;

  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    if (strangers.has(incoming.socket))
      return refuse(outgoing, 403, 'other users of this machine are refused');
    const { method = 'GET', headers } = incoming;
    const address = incoming.url ?? '/';
    if (!URL.canParse(address, base)) return refuse(outgoing, 400, 'this is not an address');
    const { pathname, searchParams } = new URL(address, base);
    const refusal = refusalOf({ method, path: pathname, headers }, port, sessions);
    if (refusal !== null) return refuse(outgoing, refusal.status, refusal.message);
    if (pathname === loginPath)
      return logIn(outgoing, sessions.redeem(searchParams.get('token') ?? ''), port);
    const gone = new AbortController();
    outgoing.once('close', () => gone.abort());
    const { signal } = gone;
    if (method === 'POST' && pathname.startsWith('/api/')) {
      const input = (await readBody(incoming)) as Record<string, unknown> | null;
      if (typeof input !== 'object' || input === null || Array.isArray(input)) {
        throw new Failure('bad-input', 'the request is not a JSON object', 'send one JSON object');
      }
      const output = await answerCall(pathname.slice('/api/'.length), input, { env, readOnly, signal });
      return sendJson(outgoing, 200, output);
    }
    if (method !== 'GET') return sendPage(outgoing, assets.get(pathname));
    if (pathname === '/api/events') {
      return hub.isFull ? refuse(outgoing, 429, 'too many pages are open') : hub.add(beginStream(outgoing));
    }
    if (pathname === '/api/output') {
      const output = await openOutput(searchParams.get('id') ?? '', { env, signal });
      await sendOutput(beginStream(outgoing), output, signal);
      return void outgoing.end();
    }
    sendPage(outgoing, assets.get(pathname));
  };

  const server = http.createServer(limits, (incoming, outgoing) => {
    for (const [name, value] of Object.entries(safeHeaders)) outgoing.setHeader(name, value);
    answer(incoming, outgoing).catch((error) => {
      if (outgoing.headersSent) return outgoing.destroy();
      const { status, body } = errorAnswer(error);
      sendJson(outgoing, status, body);
    });
  });
  server.maxConnections = connectionsMax;
  // At once: an end that is closed later no longer shows its user.
  server.on('connection', (socket) => isOwnPeer(socket, env) || strangers.add(socket));
  server.listen({ host: '127.0.0.1', port: wanted });
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw new Failure(
      'bad-input',
      `cannot listen on port ${wanted}: ${error.code === 'EADDRINUSE' ? 'another program does' : error.message}`,
      'leave out --port, or choose another one',
    );
  });
  port = (server.address() as AddressInfo).port;

  return {
    newLink: () => `http://127.0.0.1:${port}${loginPath}?token=${sessions.newToken()}`,
    close() {
      server.close();
      hub.close();
      server.closeAllConnections();
    },
  };
}

/** A page instead of a redirect: a cookie that is `Strict` is not sent along when a foreign page led here. */
function logIn(outgoing: ServerResponse, session: string | null, port: number): void {
  if (session === null) {
    refuse(outgoing, 401, 'this link was used before, or is not from this dashboard');
    return;
  }
  outgoing.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'set-cookie': `${cookieName(port)}=${session}; HttpOnly; SameSite=Strict; Path=/`,
  });
  outgoing.end(
    '<!doctype html><meta http-equiv="refresh" content="0;url=/"><title>Unstuck</title><a href="/">Unstuck</a>',
  );
}

function refuse(outgoing: ServerResponse, status: number, message: string): void {
  const hint =
    status === 401 ? 'Open the link that `unstuck web` has printed; press Enter there for a new one.' : '';
  outgoing.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' });
  outgoing.end(`${message}\n${hint === '' ? '' : `${hint}\n`}`);
}

function sendJson(outgoing: ServerResponse, status: number, content: unknown): void {
  outgoing.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  outgoing.end(JSON.stringify(content));
}

function sendPage(outgoing: ServerResponse, asset: Asset | undefined): void {
  if (asset === undefined) {
    refuse(outgoing, 404, 'no such page');
    return;
  }
  const { type, bytes, isFixed } = asset;
  outgoing.writeHead(200, {
    'content-type': type,
    'content-length': bytes.length,
    'cache-control': isFixed ? 'private, max-age=31536000, immutable' : 'no-store',
  });
  outgoing.end(bytes);
}

function beginStream(outgoing: ServerResponse): ServerResponse {
  outgoing.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  return outgoing;
}
