import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../../../model/failure.js';
import { readBytes } from '../proc/proc-file.js';
import { parseStat, type Stat } from '../proc/stat.js';

/** Both take a few milliseconds, on a busy machine a thousand times as long. */
const settleMsMax = 5000;
const endMsMax = 5000;
const pollEveryMs = 5;

/** Two processes to try things on. Both end when their input does, so also when this process is killed. */
export interface Subjects {
  child: number;
  /** Started by a child that has ended: no longer a descendant of this process. null: could not be made. */
  stranger: number | null;
  stop(): Promise<void>;
}

function statOf(pid: number): Stat | null {
  const bytes = readBytes(`/proc/${pid}/stat`);
  return Buffer.isBuffer(bytes) ? parseStat(bytes) : null;
}

async function until(done: () => boolean, msMax: number): Promise<void> {
  for (const giveUpAtMs = performance.now() + msMax; !done() && performance.now() < giveUpAtMs; ) {
    await delay(pollEveryMs);
  }
}

async function startChild(): Promise<ChildProcess> {
  const programs: [file: string, args: string[]][] = [
    ['cat', []],
    // A container may have no other program than the one that runs Unstuck.
    [process.execPath, ['-e', 'process.stdin.resume()']],
  ];
  for (const [file, args] of programs) {
    const child = spawn(file, args, { stdio: ['pipe', 'ignore', 'ignore'] });
    const started = await once(child, 'spawn').then(
      () => true,
      () => false,
    );
    if (started) return child;
  }
  throw new Failure(
    'unsupported',
    'no program could be started to try things on',
    'allow more processes: ulimit -u',
  );
}

async function startStranger(): Promise<{ pid: number | null; shell: ChildProcess }> {
  const shell = spawn('sh', ['-c', 'cat <&3 >/dev/null & echo $!'], {
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
  });
  const lines: Buffer[] = [];
  shell.stdout?.on('data', (bytes: Buffer) => lines.push(bytes));
  const ended = shell.stdout === null ? [] : [once(shell.stdout, 'end')];
  const started = await Promise.all([once(shell, 'exit'), ...ended]).then(
    () => true,
    () => false,
  );
  const pid = started ? Number(Buffer.concat(lines).toString()) : 0;
  return { pid: pid > 0 ? pid : null, shell };
}

/** Starts both processes and returns when both are blocked. */
export async function startSubjects(): Promise<Subjects> {
  const child = await startChild();
  const childPid = child.pid ?? -1;
  const { pid, shell } = await startStranger();
  const waits = (one: number, name: string) => {
    const stat = statOf(one);
    return stat === null || (stat.state === 'S' && stat.name === name);
  };
  const childName = basename(child.spawnfile);
  await until(() => waits(childPid, childName) && (pid === null || waits(pid, 'cat')), settleMsMax);
  // Where this process is the first process, or adopts orphans, it is a descendant after all.
  const adopted = pid !== null && statOf(pid)?.parent === process.pid;
  return {
    child: childPid,
    stranger: adopted ? null : pid,
    async stop() {
      const ended = once(child, 'exit');
      child.stdin?.destroy();
      for (const stream of shell.stdio) stream?.destroy();
      await ended;
      await until(() => pid === null || (statOf(pid)?.state ?? 'Z') === 'Z', endMsMax);
    },
  };
}
