import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type WatchOptions, watch } from '../../src/control/watchdog/watch.js';
import type { WatchdogTimeoutError } from '../../src/model/watchdog.js';

const quick = { pollIntervalMs: 20, idleTimeoutMs: 100, graceMs: 300 };

async function start(script: string, detached = false): Promise<ChildProcess & { pid: number }> {
  const child = spawn('sh', ['-c', `${script}; echo ready; exec sleep 1000`], { detached });
  await once(child.stdout, 'data');
  return child as typeof child & { pid: number };
}

const exitOf = ({ exitCode, signalCode }: ChildProcess) => [exitCode, signalCode];

async function ended(child: ChildProcess, target: ChildProcess | number, options: WatchOptions = {}) {
  const error = await watch(target, { ...quick, ...options }).done.then(
    () => null,
    (reason: WatchdogTimeoutError) => reason,
  );
  return { signal: error?.signal, isGone: error?.isGone, exit: exitOf(child) };
}

const gentle = await start(':');
const stubborn = await start("trap '' TERM", true);
const asked = await start(':');
const foreign = await start(':');
const stopped = await start(':');

const watchdog = watch(stopped, quick);
watchdog.stop();

console.log(
  JSON.stringify({
    // On a busy machine its end takes a while.
    gentle: await ended(gentle, gentle, { graceMs: 20_000 }),
    stubborn: await ended(stubborn, stubborn),
    asked: await ended(asked, asked, { terminate: () => asked.kill(), graceMs: 20_000 }),
    // A number alone proves nothing.
    foreign: await ended(foreign, foreign.pid),
    stopped: { how: await watchdog.done, exit: exitOf(stopped) },
  }),
);
for (const child of [foreign, stopped]) child.kill('SIGKILL');
