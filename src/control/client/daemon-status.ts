import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { membershipReading, unusableFile } from '../../fleet/settings.js';
import { Failure } from '../../model/failure.js';
import { daemonFile } from '../../store/daemon-files.js';
import { privateHome, stateHome } from '../../store/state-home.js';
import { greet } from './greet.js';
import { livingHolder } from './lock-holder.js';
import type { Hello } from './protocol.js';
import { askToLeave, reachDaemon, reachMsMax } from './reach-daemon.js';

export interface DaemonStatus {
  running: boolean;
  pid: number | null;
  version: string | null;
  startedAt: string | null;
  /** Live runs. */
  runs: number | null;
  /** What keeps it from working now, as a message; null: nothing. */
  trouble: string | null;
  home: string;
  log: string;
}

export interface DaemonStop {
  /** false: no daemon was running. */
  stopped: boolean;
  pid: number | null;
  /** Live runs, which go on. */
  runs: number | null;
}

const retryMs = 25;
/** Time a new daemon may take to read the runs before their number is reported as unknown. */
const runsMsMax = 5000;

/** Starts no daemon and creates no files. */
export async function daemonStatus(env: NodeJS.ProcessEnv = process.env): Promise<DaemonStatus> {
  const home = existingHome(env);
  return statusOf(stateHome(env), home === null ? null : await helloWithRuns(home));
}

/** The running daemon, or a new one. */
export async function startedDaemon(env: NodeJS.ProcessEnv = process.env): Promise<DaemonStatus> {
  const home = privateHome(env);
  const hello = await reachDaemon(home, { env });
  return statusOf(home, (await helloWithRuns(home)) ?? hello);
}

/** Ends the daemon; the runs go on. */
export async function stopDaemon(env: NodeJS.ProcessEnv = process.env): Promise<DaemonStop> {
  const home = existingHome(env);
  const hello = home === null ? null : await helloWithRuns(home);
  if (home === null || hello === null) return { stopped: false, pid: null, runs: null };
  await askToLeave(home);
  const endMs = performance.now() + reachMsMax;
  while (livingHolder(home)?.identity.pid === hello.pid) {
    if (performance.now() > endMs) throw notLeaving(hello.pid);
    await delay(retryMs);
  }
  return { stopped: true, pid: hello.pid, runs: hello.runs };
}

function existingHome(env: NodeJS.ProcessEnv): string | null {
  return fs.existsSync(stateHome(env)) ? privateHome(env) : null;
}

async function helloWithRuns(home: string): Promise<Hello | null> {
  const endMs = performance.now() + runsMsMax;
  for (;;) {
    const hello = await greet(home, reachMsMax);
    if (hello === null || hello.runs !== null || hello.trouble !== null || performance.now() > endMs)
      return hello;
    await delay(retryMs);
  }
}

function statusOf(home: string, hello: Hello | null): DaemonStatus {
  const log = daemonFile(home, 'log');
  if (hello === null) {
    return {
      running: false,
      pid: null,
      version: null,
      startedAt: null,
      runs: null,
      trouble: fleetTrouble(home),
      home,
      log,
    };
  }
  const { pid, version, startedAt, runs, trouble } = hello;
  return { running: true, pid, version, startedAt, runs, trouble, home, log };
}

/** As the daemon would say it. */
function fleetTrouble(home: string): string | null {
  const joined = membershipReading(home);
  return joined.kind === 'unknown' ? `fleet: ${unusableFile(home, joined.reason)}` : null;
}

function notLeaving(pid: number): Failure {
  return new Failure(
    'no-daemon',
    `the daemon (pid ${pid}) was asked to end and did not within ${reachMsMax / 1000} s`,
    `kill it, the runs go on: kill -KILL ${pid}`,
  );
}
