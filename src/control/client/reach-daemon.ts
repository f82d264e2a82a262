import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../../model/failure.js';
import { matchIdentity, type ProcessIdentity } from '../../model/identity.js';
import { livenessOf } from '../../probe/linux/liveness.js';
import { createSender } from '../../supervise/terminate/send-signal.js';
import { compareVersions } from './compare-versions.js';
import { exchange, LostConnection } from './exchange.js';
import { greet } from './greet.js';
import { lastWords } from './last-words.js';
import { livingHolder } from './lock-holder.js';
import { type Hello, protocol } from './protocol.js';
import { startDaemon } from './start-daemon.js';

/** From the first attempt to a daemon that says hello, whatever that takes. */
export const reachMsMax = 10_000;
const lookAgainMs = 25;
/** One that begins to listen at the last moment gets the time for its first answer. */
const greetMsMin = 2000;
/** So many may come to nothing. */
const startsMax = 5;

export interface ReachOptions {
  env: NodeJS.ProcessEnv;
  signal?: AbortSignal | undefined;
}

/** A daemon that we can talk to: the one that is there, or a new one. */
export async function reachDaemon(home: string, { env, signal }: ReachOptions): Promise<Hello> {
  const sinceMs = performance.now();
  const endMs = sinceMs + reachMsMax;
  let started: ProcessIdentity | null = null;
  let starts = 0;
  try {
    for (;;) {
      const leftMs = endMs - performance.now();
      if (leftMs <= 0) throw notReached(home);
      const hello = await greet(home, Math.max(leftMs, greetMsMin), { signal, sinceMs });
      if (hello !== null && !mustLeave(hello)) return hello;
      // One that lives but does not listen is about to, or about to end.
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
      await delay(lookAgainMs, undefined, { signal }).catch(() => signal?.throwIfAborted());
    }
  } catch (error) {
    if (started !== null) endUnborn(home, started);
    throw error;
  }
}

/** Without threads (`ulimit -u`) Node waits for ever before it runs anything; with the lock it will be a daemon yet. */
function endUnborn(home: string, started: ProcessIdentity): void {
  const holder = livingHolder(home);
  if (holder !== null && matchIdentity(holder.identity, started) === 'same') return;
  createSender(null)(started, 'SIGKILL');
}

/** The newer one stays, so that two versions on one machine never fight for ever. */
function mustLeave(hello: Hello): boolean {
  if (hello.protocol > protocol) {
    throw new Failure(
      'no-daemon',
      `the daemon (pid ${hello.pid}) is of Unstuck ${hello.version}, which this Unstuck ${__UNSTUCK_VERSION__} does not understand`,
      `use Unstuck ${hello.version} or newer; or end it, the runs go on: kill ${hello.pid}`,
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
    ? new Failure('no-daemon', `the daemon does not start${lastWords(home)}`, 'see why: unstuck daemon run')
    : new Failure(
        'no-daemon',
        `the daemon (pid ${pid}) does not listen`,
        `end it, the runs go on: kill -KILL ${pid}`,
      );
}
