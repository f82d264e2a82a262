// Runs as the first process of a pid namespace of its own, where the next number can be chosen.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { ticksPerSecond } from '../../../../src/model/facts/sample.js';
import { Sampler } from '../../../../src/probe/linux/sample/sampler.js';

const attemptsMax = 50;

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** Our own threads may take the number first. */
async function startAs(pid: number): Promise<ChildProcess> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    writeFileSync('/proc/sys/kernel/ns_last_pid', String(pid - 1));
    const child = spawn('sleep', ['1000'], { stdio: 'ignore' });
    if (child.pid === pid) return child;
    await stop(child);
  }
  throw new Error(`never got the number ${pid} again`);
}

function uptimeTicks(): number {
  return Math.floor(Number.parseFloat(readFileSync('/proc/uptime', 'utf8')) * ticksPerSecond);
}

const first = spawn('sleep', ['1000'], { stdio: 'ignore' });
const pid = first.pid ?? -1;
const kept = new Sampler();
const watcher = new Sampler();
const byPath = new Sampler({ keptFilesMax: 0 });
const added = [kept.add(pid) === 'followed', byPath.add(pid) === 'followed'];
watcher.add(pid);
await stop(first);
// A tick of the start time must pass, or the two processes could not be told apart by path.
const started = watcher.sweep().ended[0]?.startTicks ?? 0;
while (uptimeTicks() <= started + 1) await new Promise(setImmediate);
const second = await startAs(pid);
const sweeps = [kept.sweep(), byPath.sweep()].map(({ processes, ended }) => ({
  processes: processes.length,
  ended: ended.map((process) => process.pid === pid),
}));
const addedAgain = [kept.add(pid) === 'followed', byPath.add(pid) === 'followed'];
const again = [kept.sweep(), byPath.sweep()].map(({ processes }) => processes.length);
await stop(second);
console.log(JSON.stringify({ added, sweeps, addedAgain, again }));
