import { Failure } from '../../model/failure.js';
import { onAbort } from '../../model/own-signal.js';
import { exchange, LostConnection } from './exchange.js';
import { livingHolder } from './lock-holder.js';
import { type Hello, parseHello } from './protocol.js';

export interface GreetOptions {
  signal?: AbortSignal | undefined;
  /** Since when somebody waits for it (performance.now()); without it, since now. */
  sinceMs?: number;
}

/** null: no daemon listens. Throws when one does and says nothing, or nothing that makes sense. */
export async function greet(
  home: string,
  patienceMs: number,
  { signal, sinceMs = performance.now() }: GreetOptions = {},
): Promise<Hello | null> {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(silent(home, sinceMs)), patienceMs);
  const letGo = onAbort(signal, () => patience.abort(signal?.reason));
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
    letGo();
  }
}

function silent(home: string, sinceMs: number): Failure {
  const pid = livingHolder(home)?.identity.pid;
  const who = pid === undefined ? 'the daemon' : `the daemon (pid ${pid})`;
  return new Failure(
    'no-daemon',
    `${who} has not answered for ${Math.round((performance.now() - sinceMs) / 1000)} s`,
    pid === undefined
      ? `see ${home}/daemon.log`
      : `on a busy machine, try again; see what it does: unstuck why ${pid}; stopped, it goes on with: kill -CONT ${pid}; or end it, the runs go on: kill -KILL ${pid}`,
  );
}

function refused(home: string, status: number, body: unknown): Failure {
  const { error } = (body ?? {}) as { error?: { code?: unknown; message?: unknown; hint?: unknown } };
  if (error?.code === 'not-yours') return new Failure('not-yours', String(error.message), String(error.hint));
  return new Failure(
    'no-daemon',
    `what listens in ${home} does not answer like a daemon (status ${status})`,
    'set UNSTUCK_HOME to another directory, or end what listens there',
  );
}
