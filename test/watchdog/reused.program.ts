// In a pid namespace of its own: a watched process ends, and another process gets its pid before the next poll.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { watch } from '../../src/control/watchdog/watch.js';

function start(): ChildProcess {
  return spawn('sleep', ['1000'], { stdio: 'ignore' });
}

const first = start();
const pid = first.pid ?? 0;
const watchdog = watch(pid, { pollIntervalMs: 2000, idleTimeoutMs: 3000, graceMs: 0 });
// The kernel counts start times in hundredths of a second. No pid is reused that soon, unless it is asked for as below.
await delay(50);
first.kill('SIGKILL');
await once(first, 'exit');
let second = start();
for (let attempt = 0; attempt < 100 && second.pid !== pid; attempt += 1) {
  second.kill('SIGKILL');
  await once(second, 'exit');
  writeFileSync('/proc/sys/kernel/ns_last_pid', String(pid - 1));
  second = start();
}
const before = watchdog.state.phase;
const how = await watchdog.done.catch((error: Error) => error.message);
const isUnharmed = second.kill(0) && second.signalCode === null;
second.kill('SIGKILL');
console.log(JSON.stringify({ isReused: second.pid === pid, before, how, isUnharmed }));
