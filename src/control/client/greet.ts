import { Failure } from '../../model/failure.js';
import { onAbort } from '../../model/own-signal.js';
import { cpuWantedMs } from '../../probe/processes.js';
import { exchange, LostConnection } from './exchange.js';
import { livingHolder } from './lock-holder.js';
import { type Hello, parseHello } from './protocol.js';

/** The longest wait for a daemon that is busy, or that does not get a CPU. */
export const busyMsMax = 60_000;
/** How often a client checks whether the daemon is busy. */
const stepMsMax = 1000;
/** A daemon at rest computes much less than this share of the time. */
const busyShare = 1 / 4;

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
  const stopWaiting = waitPatiently(home, patienceMs, () => patience.abort(silent(home, sinceMs)));
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
    stopWaiting();
    release();
  }
}

/**
 * Calls back when the daemon had this time to answer and did not. Time in which it computed or waited for a CPU does not
 * count, nor does time in which this process could not run, up to a bound.
 */
function waitPatiently(home: string, patienceMs: number, giveUp: () => void): () => void {
  const beganMs = performance.now();
  let leftMs = patienceMs;
  let busyMs: number | null = null;
  let timer: NodeJS.Timeout;
  const waitOn = (): void => {
    const atMs = performance.now();
    const stepMs = Math.min(leftMs, stepMsMax);
    timer = setTimeout(() => {
      const nowMs = performance.now();
      const tookMs = nowMs - atMs;
      const before = busyMs;
      busyMs = busyMsOf(home);
      const lostMs = Math.max(before === null ? 0 : busyMs - before, tookMs - stepMs);
      leftMs -= tookMs - (lostMs > tookMs * busyShare ? lostMs : 0);
      if (leftMs <= 0 || nowMs - beganMs > busyMsMax) giveUp();
      else waitOn();
    }, stepMs);
  };
  waitOn();
  return () => clearTimeout(timer);
}

/** How long the daemon has computed and waited for a CPU so far; 0: not known. */
function busyMsOf(home: string): number {
  const pid = livingHolder(home)?.identity.pid;
  return pid === undefined ? 0 : cpuWantedMs(pid);
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
