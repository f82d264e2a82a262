import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import * as z from 'zod/mini';
import { type Hello, requestIdHeader } from '../control/client/protocol.js';
import { metricsType } from '../control/metrics.js';
import type { Operation } from '../control/operations/shared/operation.js';
import { Failure } from '../model/failure.js';
import type { Registry } from '../registry/registry.js';
import { errorAnswer, leavingAnswer } from './error-answer.js';
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

type Request = Context<{ Bindings: HttpBindings }>;

/** One route per operation, from the table of operations. */
export function createApp({ operations, registry, hello, leave, visits, log }: AppParts) {
  const app = new Hono<{ Bindings: HttpBindings }>();
  const outputs = new OutputCheck(log);

  app.get('/v1/hello', (c) => c.json(hello()));

  app.get('/v1/operations', (c) =>
    c.json({
      operations: Object.values(operations).map(({ name, summary, input, output }) => ({
        name,
        summary,
        input: z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }),
        output: z.toJSONSchema(output, { unrepresentable: 'any' }),
      })),
    }),
  );

  app.get('/metrics', async (c) =>
    c.body(renderMetrics(await registry(), hello()), 200, { 'content-type': metricsType }),
  );

  app.post('/v1/leave', (c) => {
    leave();
    return c.json({ leaving: true });
  });

  app.post('/v1/:name', async (c) => {
    const operation = findOperation(operations, c.req.param('name'));
    const requestId = requestIdOf(c);
    const input = parseInput(operation, await readBody(c.env.incoming));
    const signal = visits.signalOf(c.env.incoming);
    const output = await operation.handle(input, { registry: await registry(), signal, requestId });
    outputs.check(operation, output);
    return c.json(output as object);
  });

  app.notFound((c) => {
    const failure = new Failure(
      'bad-input',
      `no such page: ${c.req.path}`,
      'list the operations: GET /v1/operations',
    );
    return c.json(errorAnswer(failure).body, 404);
  });

  app.onError((error, c) => {
    const isCutShort = visits.areEnding && !(error instanceof Failure);
    const { status, body } = isCutShort ? leavingAnswer : errorAnswer(error);
    const { incoming } = c.env;
    // A client that disconnects in the middle of a body is not an error of the daemon.
    const hasGone = visits.signalOf(incoming).aborted || incoming.errored !== null;
    if (body.error.code === 'internal' && !hasGone) log.writeError(c.req.path, error);
    return c.json(body, status as ContentfulStatusCode);
  });

  return app;
}

function requestIdOf(c: Request): string {
  const given = c.req.header(requestIdHeader);
  if (given === undefined) return crypto.randomUUID();
  if (/^[\w.:-]{1,128}$/.test(given)) return given;
  throw new Failure(
    'bad-input',
    `${requestIdHeader} is not a valid request id`,
    'use up to 128 letters, digits, . : - or _',
  );
}
