// Runs in a pid namespace of its own, where the next number can be chosen.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { ticksPerSecond } from '../../src/model/sample.js';
import { identify } from '../../src/probe/linux/identify.js';
import { MemberScan } from '../../src/probe/linux/members.js';

const attemptsMax = 50;
/** Starts a job in its session and ends when its input does. */
const script = 'sleep 1000 & echo $!; read line';

async function start(): Promise<{ leader: ChildProcess; job: number }> {
  const leader = spawn('sh', ['-c', script], { detached: true, stdio: ['pipe', 'pipe', 'ignore'] });
  const [line] = await once(leader.stdout, 'data');
  return { leader, job: Number(line) };
}

async function end(leader: ChildProcess): Promise<void> {
  const exited = once(leader, 'exit');
  leader.stdin?.end();
  await exited;
}

/** Our own threads may take the number first. */
async function startAs(pid: number) {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    writeFileSync('/proc/sys/kernel/ns_last_pid', String(pid - 1));
    const started = await start();
    if (started.leader.pid === pid) return started;
    await end(started.leader);
    process.kill(started.job, 'SIGKILL');
  }
  throw new Error(`never got the number ${pid} again`);
}

function uptimeTicks(): number {
  return Math.floor(Number.parseFloat(readFileSync('/proc/uptime', 'utf8')) * ticksPerSecond);
}

const first = await start();
const pid = first.leader.pid ?? -1;
const leader = identify(pid);
if (leader === null) throw new Error('it is gone');
const scan = new MemberScan({ runId: null, leader, keeper: null });
const pids = (fresh: boolean) => scan.scan({ fresh }).map((member) => member.pid);
const atFirst = pids(false);
await end(first.leader);
const withoutLeader = pids(false);
process.kill(first.job, 'SIGKILL');
// A tick of the start time must pass, or the two could not be told apart.
while (uptimeTicks() <= leader.startTicks + 1) await new Promise(setImmediate);
const second = await startAs(pid);
const reused = [pids(false), pids(true)];
await end(second.leader);
const reusedSession = [pids(false), pids(true)];
console.log(
  JSON.stringify({
    atFirst: atFirst.length,
    withoutLeader: withoutLeader.map((member) => member === first.job),
    reused,
    reusedSession,
  }),
);
// The last job holds our end of a pipe; it ends with the namespace.
process.exit();
