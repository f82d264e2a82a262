import { setTimeout as delay } from 'node:timers/promises';
import { Failure, type FailureCode, failureCodes } from '../../model/failure.js';
import type { OperationInput, OperationName, OperationOutput } from '../../model/operations/operations.js';
import { withOwnSignal } from '../../model/own-signal.js';
import { daemonFile } from '../../store/daemon-files.js';
import { privateHome } from '../../store/state-home.js';
import type { CallOptions } from './call-options.js';
import { type DaemonAnswer, exchange, LostConnection } from './exchange.js';
import { requestBytesMax } from './protocol.js';
import { reachTogether, withLiveDaemon } from './reach-together.js';

export type { CallOptions };

/** Answers that may be lost within `lostWithinMs`. */
const lostMax = 5;
const lostWithinMs = 30_000;
const backoffMsMax = 1000;

/** Homes whose daemon has answered this process. */
const greeted = new Set<string>();

/** Calls the daemon, which is started if there is none. Throws a Failure like an operation that is called directly. */
export async function callOperation<Name extends OperationName>(
  name: Name,
  input: OperationInput<Name>,
  options: CallOptions = {},
): Promise<OperationOutput<Name>> {
  return (await callDaemon(name, input, options)) as OperationOutput<Name>;
}

/** The same with a name and input that only the daemon checks. */
export async function callDaemon(name: string, input: unknown, options: CallOptions = {}): Promise<unknown> {
  options.signal?.throwIfAborted();
  if (!mayBeForHost(input)) return callHere(name, input, options);
  const { callHost, isForHost } = await import('../fleet/call-host.js');
  return isForHost(input, options)
    ? callHost(name, input, options, callHere)
    : callHere(name, input, options);
}

/** Without a slash no id names a host, and nothing of the fleet is loaded. */
function mayBeForHost(input: unknown): boolean {
  const { id, ids } = (input ?? {}) as { id?: unknown; ids?: unknown };
  const hasSlash = (handle: unknown) => typeof handle === 'string' && handle.includes('/');
  return hasSlash(id) || (Array.isArray(ids) && ids.some(hasSlash));
}

function callHere(name: string, input: unknown, options: CallOptions): Promise<unknown> {
  return withOwnSignal(options.signal, (signal) => callUntilAnswered(name, input, { ...options, signal }));
}

/** Repeats the request under the same id when an answer is lost. */
async function callUntilAnswered(name: string, input: unknown, options: CallOptions): Promise<unknown> {
  const { env = process.env, requestId = newRequestId(), agent, signal } = options;
  const home = privateHome(options.home === undefined ? env : { UNSTUCK_HOME: options.home });
  const startMs = performance.now();
  let lostAtMs: number[] = [];
  let isSent = false;
  for (;;) {
    const body = bodyOf(name, input, performance.now() - startMs);
    try {
      if (!greeted.has(home)) await reachTogether(home, env, signal);
      greeted.add(home);
      const path = `/v1/${encodeURIComponent(name)}`;
      const request = { method: 'POST', path, body, requestId, agent } as const;
      isSent = true;
      const answer = await withLiveDaemon(home, signal, (either) =>
        exchange(home, { ...request, signal: either }),
      );
      return outputOf(home, answer);
    } catch (error) {
      if (!(error instanceof LostConnection)) throw isSent ? unanswered(name, error) : error;
    }
    greeted.delete(home);
    const nowMs = performance.now();
    lostAtMs = [...lostAtMs.filter((atMs) => nowMs - atMs < lostWithinMs), nowMs];
    if (lostAtMs.length > lostMax) throw unanswered(name, lostTooOften(home, lostAtMs.length));
    const backoffMs = Math.min(backoffMsMax, 10 * 2 ** lostAtMs.length);
    await delay(backoffMs, undefined, { signal }).catch(() => signal?.throwIfAborted());
  }
}

/** It need not be unguessable. */
function newRequestId(): string {
  return [process.pid, Date.now(), Math.random()].map((n) => n.toString(36).replace('.', '')).join('-');
}

/** A repeated `wait` has less time left. */
function bodyOf(name: string, input: unknown, elapsedMs: number): string {
  const { timeoutS } = (input ?? {}) as { timeoutS?: unknown };
  const isCounted = (name === 'wait' || name === 'waitMany') && typeof timeoutS === 'number';
  const asked = isCounted
    ? { ...(input as object), timeoutS: Math.max(0, timeoutS - Math.floor(elapsedMs / 1000)) }
    : input;
  const body = JSON.stringify(asked ?? {});
  const bytes = Buffer.byteLength(body);
  if (bytes <= requestBytesMax) return body;
  throw new Failure(
    'too-large',
    `${name}: the request has ${bytes} bytes, the limit is ${requestBytesMax}`,
    'put the data into a file, or send it in pieces',
  );
}

function outputOf(home: string, { status, body }: DaemonAnswer): unknown {
  if (status === 200) return body;
  const { error } = (body ?? {}) as { error?: { code?: unknown; message?: unknown; hint?: unknown } };
  const known = typeof error?.code === 'string' && Object.hasOwn(failureCodes, error.code);
  throw known
    ? new Failure(error.code as FailureCode, String(error.message), String(error.hint))
    : new Failure(
        'no-daemon',
        `the daemon failed: ${String(error?.message ?? `status ${status}`)}`,
        `see its log: ${daemonFile(home, 'log')}`,
      );
}

function lostTooOften(home: string, times: number): Failure {
  return new Failure(
    'no-daemon',
    `the connection to the daemon was lost ${times} times without an answer`,
    `see its log: ${daemonFile(home, 'log')}`,
  );
}

/** A new start has another request id and would be a second run. */
function unanswered(name: string, error: unknown): unknown {
  if (name !== 'start' || !(error instanceof Failure) || error.code !== 'no-daemon') return error;
  return new Failure(
    error.code,
    `${error.message}; the command may have been started`,
    `check before you start it again: unstuck list; ${error.hint}`,
  );
}
