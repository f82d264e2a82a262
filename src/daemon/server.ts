import http from 'node:http';
import type { Socket } from 'node:net';
import type { Failure } from '../model/failure.js';
import { keptDescriptorsMax } from '../probe/machine.js';
import type { App } from './app.js';
import { type ErrorAnswer, errorAnswer, leavingAnswer } from './error-answer.js';
import { strangerAt, Unasked, type UnaskedLimits } from './unasked.js';
import type { Visits } from './visits.js';

/** Time limits for clients that do not send or do not read. Working on an answer may take any time. */
export interface ServerLimits extends UnaskedLimits {
  headersMs: number;
  requestMs: number;
  unreadMs: number;
  checkEveryMs: number;
  connectionsMax: number;
}

const connectionsLeast = 16;

/** As many connections as there are spare descriptors, up to a thousand. */
function limitsDefault(): ServerLimits {
  const connectionsMax = Math.min(1000, Math.max(connectionsLeast, keptDescriptorsMax()));
  return {
    headersMs: 5000,
    requestMs: 60_000,
    unreadMs: 60_000,
    checkEveryMs: 500,
    connectionsMax,
    unaskedMax: Math.ceil(connectionsMax / 2),
    idleMax: Math.ceil(connectionsMax / 8),
    idleMsMin: 250,
  };
}

/** Passes requests to the app. Refuses other users, and closes connections that are held without a request. */
export function createServer(answer: App, visits: Visits, given: Partial<ServerLimits> = {}): http.Server {
  const limits = { ...limitsDefault(), ...given };
  const strangers = new WeakMap<Socket, Failure>();
  const unasked = new Unasked(limits);
  const server = http.createServer(
    {
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: limits.checkEveryMs,
    },
    (incoming, outgoing) => {
      // Not `incoming.socket` later: it becomes null when the body was left unread.
      const { socket } = incoming;
      visits.begin(incoming, outgoing);
      noteWork(unasked, socket, incoming, outgoing);
      // The timeout applies only while there is something to send: a socket that waits for our answer is not idle.
      outgoing.once('prefinish', () => socket.setTimeout(limits.unreadMs));
      const stranger = strangers.get(socket);
      if (stranger !== undefined) refuse(outgoing, errorAnswer(stranger));
      else if (visits.areEnding) refuse(outgoing, leavingAnswer);
      else void answer(incoming, outgoing);
    },
  );
  server.maxConnections = limits.connectionsMax;
  const trimming = setInterval(() => unasked.trim(), limits.checkEveryMs).unref();
  server.once('close', () => clearInterval(trimming));
  server.on('connection', (socket) => {
    unasked.add(socket);
    socket.once('close', () => unasked.remove(socket));
    const stranger = strangerAt(socket);
    if (stranger !== null) strangers.set(socket, stranger);
    // Set once per connection: it may carry thousands of requests.
    socket.on('timeout', () => socket.destroy());
  });
  return server;
}

/** A connection is not closed between the last byte of a request and the last byte of its answer. */
function noteWork(
  unasked: Unasked,
  socket: Socket,
  incoming: http.IncomingMessage,
  outgoing: http.ServerResponse,
): void {
  const { 'content-length': length, 'transfer-encoding': coding } = incoming.headers;
  if (length === undefined && coding === undefined) unasked.remove(socket);
  else incoming.once('end', () => unasked.remove(socket));
  outgoing.once('close', () => unasked.add(socket));
}

function refuse(outgoing: http.ServerResponse, { status, body }: ErrorAnswer): void {
  outgoing.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
  outgoing.end(JSON.stringify(body));
}
