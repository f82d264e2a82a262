// Runs in a pid namespace of its own, where the next number can be chosen.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { ticksPerSecond } from '../../../../src/model/facts/sample.js';
import { identify } from '../../../../src/probe/linux/identity/identify.js';
import { RunTable } from '../../../../src/probe/linux/members/run-table.js';

const attemptsMax = 50;
const runId = 'run_0123456789ab';
/** Every line makes a child, the next one ends it. */
const script = 'while read a; do sleep 1000 & echo $!; read b; kill -9 $!; wait; echo over; done';

const leader = spawn('sh', ['-c', script], { detached: true, stdio: ['pipe', 'pipe', 'ignore'] });

async function ask(): Promise<string> {
  const answer = once(leader.stdout, 'data');
  leader.stdin.write('\n');
  return String((await answer)[0]).trim();
}

function startStranger(): ChildProcess {
  return spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' });
}

async function end(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

function uptimeTicks(): number {
  return Math.floor(Number.parseFloat(readFileSync('/proc/uptime', 'utf8')) * ticksPerSecond);
}

/** A tick of the start time must pass, or the two could not be told apart. */
async function pastTick(): Promise<void> {
  const now = uptimeTicks();
  while (uptimeTicks() <= now + 1) await new Promise(setImmediate);
}

/** Our own threads may take the number first. */
async function untilNumber(pid: number, start: () => Promise<number>, undo: () => Promise<unknown>) {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    writeFileSync('/proc/sys/kernel/ns_last_pid', String(pid - 1));
    if ((await start()) === pid) return;
    await undo();
  }
  throw new Error(`never got the number ${pid} again`);
}

await once(leader, 'spawn');
const identity = identify(leader.pid ?? -1);
if (identity === null) throw new Error('it is gone');
const table = new RunTable();
table.watch({ runId, leader: identity, shim: null });
const isMember = (pid: number) => {
  table.refresh();
  return table.membersOf(runId).has(pid);
};

const stranger = startStranger();
const pid = stranger.pid ?? -1;
// Its number is not the last one: that comes again only after all others.
const others = [startStranger(), startStranger(), startStranger()];
const answers = [isMember(pid)];
await end(stranger);
for (const other of others) await end(other);
await pastTick();
await untilNumber(pid, async () => Number(await ask()), ask);
await end(startStranger());
answers.push(isMember(pid));
await ask();
await pastTick();
let second = stranger;
await untilNumber(
  pid,
  async () => {
    second = startStranger();
    return second.pid ?? -1;
  },
  () => end(second),
);
answers.push(isMember(pid));
console.log(JSON.stringify(answers));
process.exit();
