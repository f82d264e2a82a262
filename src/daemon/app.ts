import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod/mini';
import { type Hello, requestIdHeader } from '../control/client/protocol.js';
import { metricsType } from '../control/metrics.js';
import type { Operation } from '../control/operations/shared/operation.js';
import { Failure } from '../model/failure.js';
import type { Registry } from '../registry/registry.js';
import { type ErrorAnswer, errorAnswer, leavingAnswer } from './error-answer.js';
import { findOperation, parseInput } from './find-operation.js';
import type { DaemonLog } from './log.js';
import { renderMetrics } from './metrics.js';
import { readBody } from './read-body.js';
import type { Visits } from './visits.js';

/** Checking a list of a thousand runs takes a quarter of the time of answering with it. */
const everyMs = 1000;

/**
 * An answer with a wrong shape is a bug in Unstuck. It is logged and sent all the same, because the operation is done.
 */
export class OutputCheck {
  readonly #log: DaemonLog;
  readonly #checkedMs = new Map<string, number>();

  constructor(log: DaemonLog) {
    this.#log = log;
  }

  /** Runs after the answer is sent, so no client waits for it. */
  check(operation: Operation, output: unknown): void {
    const nowMs = performance.now();
    if (nowMs - (this.#checkedMs.get(operation.name) ?? Number.NEGATIVE_INFINITY) < everyMs) return;
    this.#checkedMs.set(operation.name, nowMs);
    setImmediate(() => this.#check(operation, output));
  }

  #check({ name, output }: Operation, given: unknown): void {
    const parsed = output.safeParse(given);
    if (parsed.success) return;
    const places = parsed.error.issues.map(({ code, path }) => `${path.map(String).join('.')} (${code})`);
    this.#log.write(`${name}: the answer does not fit its schema: ${places.join(', ')}`);
  }
}

export interface AppParts {
  operations: Readonly<Record<string, Operation>>;
  /** Opened on first use; a failure fails that request only. */
  registry(): Promise<Registry>;
  hello(): Hello;
  /** Ends the daemon once this request is answered. */
  leave(): void;
  visits: Visits;
  log: DaemonLog;
}

/** Answers one request. Never rejects. */
export type App = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

/** Without its query. A proxy sends the whole address. */
const pathOf = ({ url = '' }: IncomingMessage): string =>
  /^(?:https?:\/\/[^/?#]*)?([^?#]*)/.exec(url)?.[1] ?? '';

/** Plain `node:http`: the classes of `fetch` alone, which most frameworks answer with, take 7 MB and 20 ms. */
export function createApp(parts: AppParts): App {
  const { visits, log } = parts;
  const outputs = new OutputCheck(log);
  return async (incoming, outgoing) => {
    const path = pathOf(incoming);
    try {
      await answer(parts, outputs, path, incoming, outgoing);
    } catch (error) {
      const isCutShort = visits.areEnding && !(error instanceof Failure);
      const { status, body } = isCutShort ? leavingAnswer : errorAnswer(error);
      // A client that disconnects in the middle of a body is not an error of the daemon.
      const hasGone = visits.signalOf(incoming).aborted || incoming.errored !== null;
      if (body.error.code === 'internal' && !hasGone) log.writeError(path, error);
      send(outgoing, body, status);
    }
  };
}

async function answer(
  parts: AppParts,
  outputs: OutputCheck,
  path: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { operations, registry, hello, leave, visits } = parts;
  // Node leaves out the body of the answer to a HEAD.
  const method = incoming.method === 'HEAD' ? 'GET' : incoming.method;
  const name = /^\/v1\/([^/]+)$/.exec(path)?.[1];
  if (method === 'GET' && name === 'hello') send(outgoing, hello());
  else if (method === 'GET' && name === 'operations') send(outgoing, described(operations));
  else if (method === 'GET' && path === '/metrics') {
    write(outgoing, renderMetrics(await registry(), hello()), metricsType);
  } else if (method === 'POST' && name === 'leave') {
    leave();
    send(outgoing, { leaving: true });
  } else if (method === 'POST' && name !== undefined) {
    const operation = findOperation(operations, name);
    const requestId = requestIdOf(incoming);
    const input = parseInput(operation, await readBody(incoming));
    const signal = visits.signalOf(incoming);
    const output = await operation.handle(input, { registry: await registry(), signal, requestId });
    outputs.check(operation, output);
    send(outgoing, output);
  } else send(outgoing, noSuchPage(path).body, 404);
}

function described(operations: AppParts['operations']) {
  return {
    operations: Object.values(operations).map(({ name, summary, input, output }) => ({
      name,
      summary,
      input: z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }),
      output: z.toJSONSchema(output, { unrepresentable: 'any' }),
    })),
  };
}

function noSuchPage(path: string): ErrorAnswer {
  return errorAnswer(
    new Failure('bad-input', `no such page: ${path}`, 'list the operations: GET /v1/operations'),
  );
}

function send(outgoing: ServerResponse, answer: unknown, status = 200): void {
  write(outgoing, JSON.stringify(answer), 'application/json', status);
}

/** In one piece, so that Node adds the length. */
function write(outgoing: ServerResponse, text: string, type: string, status = 200): void {
  if (outgoing.destroyed || outgoing.headersSent) return;
  outgoing.statusCode = status;
  outgoing.setHeader('content-type', type);
  outgoing.end(text);
}

function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers[requestIdHeader];
  if (given === undefined) return randomUUID();
  if (typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given)) return given;
  throw new Failure(
    'bad-input',
    `${requestIdHeader} is not a valid request id`,
    'use up to 128 letters, digits, . : - or _',
  );
}
