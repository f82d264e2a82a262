import http from 'node:http';
import type { Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Failure } from '../model/failure.js';
import type { createApp } from './app.js';
import { type ErrorAnswer, errorAnswer, leavingAnswer } from './error-answer.js';
import { strangerAt } from './peer.js';
import type { Visits } from './visits.js';

/** Whoever does not send or does not read is let go after so long. Working on an answer may take any time. */
export interface ServerLimits {
  headersMs: number;
  requestMs: number;
  unreadMs: number;
  checkEveryMs: number;
}

const limitsDefault: ServerLimits = {
  headersMs: 10_000,
  requestMs: 60_000,
  unreadMs: 60_000,
  checkEveryMs: 1000,
};

const connectionsMax = 1000;

/** Carries requests to the app; refuses strangers, and whoever holds a connection for nothing. */
export function createServer(
  app: ReturnType<typeof createApp>,
  visits: Visits,
  limits: ServerLimits = limitsDefault,
): http.Server {
  const strangers = new WeakMap<Socket, Failure>();
  const answer = getRequestListener(app.fetch, {
    hostname: 'unstuck',
    overrideGlobalObjects: false,
    autoCleanupIncoming: false,
  });
  const server = http.createServer(
    {
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: limits.checkEveryMs,
    },
    (incoming, outgoing) => {
      visits.begin(incoming, outgoing);
      // The clock runs only while there is something to send: a socket that waits for our answer is not idle.
      outgoing.once('prefinish', () => incoming.socket.setTimeout(limits.unreadMs));
      const stranger = strangers.get(incoming.socket);
      if (stranger !== undefined) refuse(outgoing, errorAnswer(stranger));
      else if (visits.areEnding) refuse(outgoing, leavingAnswer);
      else void answer(incoming, outgoing);
    },
  );
  server.maxConnections = connectionsMax;
  server.on('connection', (socket) => {
    const stranger = strangerAt(socket);
    if (stranger !== null) strangers.set(socket, stranger);
    // Here, not with each request: a connection may be kept for thousands of them.
    socket.on('timeout', () => socket.destroy());
  });
  return server;
}

function refuse(outgoing: http.ServerResponse, { status, body }: ErrorAnswer): void {
  outgoing.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
  outgoing.end(JSON.stringify(body));
}
