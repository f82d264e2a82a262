import { setTimeout as delay } from 'node:timers/promises';
import { matchIdentity, type ProcessIdentity } from '../../model/facts/identity.js';
import { Failure } from '../../model/failure.js';
import { cpuWantedMs, livenessOf } from '../../probe/processes.js';
import { createSender } from '../../run/stop/send-signal.js';
import { exchange, LostConnection } from './exchange.js';
import { busyMsMax, greet } from './greet.js';
import { livingHolder } from './lock-holder.js';
import { compareVersions, type Hello, protocol } from './protocol.js';
import { lastMessage, startDaemon } from './start-daemon.js';

/** Time from the first attempt to the first answer of a daemon. Time in which it computes or waits for a CPU does not count. */
export const reachMsMax = 10_000;
const retryMs = 25;
/** A daemon that begins to listen at the last moment gets this time for its first answer. */
const greetMsMin = 2000;
/** Failed starts before giving up. */
const startsMax = 5;

export interface ReachOptions {
  env: NodeJS.ProcessEnv;
  signal?: AbortSignal | undefined;
  patienceMs?: number;
}

/** Reaches the running daemon, or starts a new one. */
export async function reachDaemon(
  home: string,
  { env, signal, patienceMs = reachMsMax }: ReachOptions,
): Promise<Hello> {
  const sinceMs = performance.now();
  let started: ProcessIdentity | null = null;
  let starts = 0;
  try {
    for (;;) {
      const busyMs = started === null ? 0 : Math.min(busyMsMax, cpuWantedMs(started.pid));
      const leftMs = sinceMs + patienceMs + busyMs - performance.now();
      if (leftMs <= 0) throw notReached(home);
      const hello = await greet(home, Math.max(leftMs, greetMsMin), { signal, sinceMs });
      if (hello !== null && !mustLeave(hello)) return hello;
      // A daemon that lives but does not listen is about to listen or to end.
      if (hello !== null) await askToLeave(home, signal);
      else if (livingHolder(home) === null && (started === null || livenessOf(started) === 'ended')) {
        if (starts === startsMax) throw notReached(home);
        starts += 1;
        const late = AbortSignal.timeout(Math.ceil(leftMs));
        const patience = signal === undefined ? late : AbortSignal.any([late, signal]);
        started = await startDaemon(home, env, patience).catch((error) => {
          throw error === late.reason ? notReached(home) : error;
        });
      }
      await delay(retryMs, undefined, { signal }).catch(() => signal?.throwIfAborted());
    }
  } catch (error) {
    if (started !== null) killUnlessHolder(home, started);
    throw error;
  }
}

/**
 * Without threads (`ulimit -u`) Node waits for ever before it runs anything. A process that holds the lock will become
 * a daemon and is left alone.
 */
function killUnlessHolder(home: string, started: ProcessIdentity): void {
  const holder = livingHolder(home);
  if (holder !== null && matchIdentity(holder.identity, started) === 'same') return;
  createSender(null)(started, 'SIGKILL');
}

/** The newer daemon stays, so two versions on one machine do not replace each other for ever. */
function mustLeave(hello: Hello): boolean {
  if (hello.protocol > protocol) {
    throw new Failure(
      'no-daemon',
      `the daemon (pid ${hello.pid}) is Unstuck ${hello.version}, which Unstuck ${__UNSTUCK_VERSION__} cannot talk to`,
      `use Unstuck ${hello.version} or newer; or end the daemon, the runs go on: kill ${hello.pid}`,
    );
  }
  return compareVersions(hello.version, __UNSTUCK_VERSION__) < 0;
}

/** The runs go on. */
export async function askToLeave(home: string, signal?: AbortSignal): Promise<void> {
  try {
    await exchange(home, { method: 'POST', path: '/v1/leave', signal });
  } catch (error) {
    if (!(error instanceof LostConnection)) throw error;
  }
}

function notReached(home: string): Failure {
  const pid = livingHolder(home)?.identity.pid;
  return pid === undefined
    ? new Failure('no-daemon', `the daemon does not start${lastMessage(home)}`, 'see why: unstuck daemon run')
    : new Failure(
        'no-daemon',
        `the daemon (pid ${pid}) does not listen`,
        `kill it, the runs go on: kill -KILL ${pid}`,
      );
}
