import { Failure } from '../../model/failure.js';
import { onAbort } from '../../model/own-signal.js';
import { exchange, LostConnection } from './exchange.js';
import { livingHolder } from './lock-holder.js';
import { type Hello, parseHello } from './protocol.js';

export interface GreetOptions {
  signal?: AbortSignal | undefined;
  /** When the wait for the daemon began (performance.now()); default: now. */
  sinceMs?: number;
}

/** null: no daemon listens. Throws when something listens that does not answer, or does not answer like a daemon. */
export async function greet(
  home: string,
  patienceMs: number,
  { signal, sinceMs = performance.now() }: GreetOptions = {},
): Promise<Hello | null> {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(silent(home, sinceMs)), patienceMs);
  const release = onAbort(signal, () => patience.abort(signal?.reason));
  try {
    signal?.throwIfAborted();
    const { status, body } = await exchange(home, {
      method: 'GET',
      path: '/v1/hello',
      signal: patience.signal,
    });
    const hello = parseHello(body);
    if (hello !== null) return hello;
    throw refused(home, status, body);
  } catch (error) {
    if (error instanceof LostConnection) return null;
    throw error;
  } finally {
    clearTimeout(timer);
    release();
  }
}

function silent(home: string, sinceMs: number): Failure {
  const pid = livingHolder(home)?.identity.pid;
  const daemon = pid === undefined ? 'the daemon' : `the daemon (pid ${pid})`;
  return new Failure(
    'no-daemon',
    `${daemon} has not answered for ${Math.round((performance.now() - sinceMs) / 1000)} s`,
    pid === undefined
      ? `see ${home}/daemon.log`
      : `try again if the machine is busy; see what it does: unstuck why ${pid}; if it is stopped: kill -CONT ${pid}; or kill it, the runs go on: kill -KILL ${pid}`,
  );
}

function refused(home: string, status: number, body: unknown): Failure {
  const { error } = (body ?? {}) as { error?: { code?: unknown; message?: unknown; hint?: unknown } };
  if (error?.code === 'not-yours') return new Failure('not-yours', String(error.message), String(error.hint));
  return new Failure(
    'no-daemon',
    `the program that listens in ${home} is not an Unstuck daemon (status ${status})`,
    'set UNSTUCK_HOME to another directory, or stop that program',
  );
}
