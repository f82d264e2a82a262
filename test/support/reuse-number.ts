// For programs in a pid namespace of their own, where the next number can be chosen.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { ticksPerSecond } from '../../src/model/facts/sample.js';

const attemptsMax = 50;
/** Starts a job in its session and ends when its input does. */
const script = 'sleep 1000 & echo $!; read line';

export async function start(): Promise<{ leader: ChildProcess; job: number }> {
  const leader = spawn('sh', ['-c', script], { detached: true, stdio: ['pipe', 'pipe', 'ignore'] });
  const [line] = await once(leader.stdout, 'data');
  return { leader, job: Number(line) };
}

export async function end(leader: ChildProcess): Promise<void> {
  const exited = once(leader, 'exit');
  leader.stdin?.end();
  await exited;
}

/** Our own threads may take the number first. */
export async function startAs(pid: number): Promise<{ leader: ChildProcess; job: number }> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    writeFileSync('/proc/sys/kernel/ns_last_pid', String(pid - 1));
    const started = await start();
    if (started.leader.pid === pid) return started;
    await end(started.leader);
    process.kill(started.job, 'SIGKILL');
  }
  throw new Error(`never got the number ${pid} again`);
}

export function uptimeTicks(): number {
  return Math.floor(Number.parseFloat(readFileSync('/proc/uptime', 'utf8')) * ticksPerSecond);
}
