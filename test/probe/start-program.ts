import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';
import { findTool, fixturePath } from '../support/find-tool.js';
import { patienceMs } from '../support/patience.js';
import { afterEveryTest } from '../support/per-test.js';
import { readFirstLine } from '../support/read-first-line.js';
import { markName, readIdentity } from '../support/read-tree.js';
import { stopTree } from '../support/stop-tree.js';

export interface Running {
  pid: number;
  child: ChildProcess;
  /** Its first line, where one was asked for. */
  line: string;
}

const stops: (() => Promise<void>)[] = [];

/** Kills everything that was started and proves that nothing is left. */
async function stopPrograms(): Promise<void> {
  const faults: unknown[] = [];
  for (let stop = stops.pop(); stop !== undefined; stop = stops.pop())
    await stop().catch((fault) => faults.push(fault));
  if (faults.length > 0) throw new AggregateError(faults, String(faults[0]));
}

afterEveryTest(stopPrograms);

export const isRoot = process.getuid?.() === 0;

export const python = findTool('python3');

/** A program of this directory. */
export const program = (name: string): string =>
  fileURLToPath(new URL(`./programs/${name}`, import.meta.url));

/** Starts a program in a session of its own; it ends with the test. `line`: wait until it says that it is ready. */
export async function startProgram(
  argv: readonly string[],
  { line = false, env = {} }: { line?: boolean; env?: Record<string, string> } = {},
): Promise<Running> {
  const mark = randomBytes(6).toString('hex');
  const [file = '', ...args] = argv;
  const child = spawn(file, args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: fixturePath,
      LANG: 'C.UTF-8',
      [markName]: mark,
      UNSTUCK_TEST_SESSION: process.env.UNSTUCK_TEST_SESSION,
      ...env,
    },
  });
  const pid = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('spawn', () => resolve(child.pid ?? -1));
  });
  const root = readIdentity(pid);
  stops.push(async () => {
    await stopTree(mark, root);
    child.stdout?.destroy();
  });
  return { pid, child, line: line ? await readFirstLine(child) : '' };
}

/** Resolves once the process has ended and its parent (we) has collected it. */
export function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => child.once('exit', () => resolve()));
}

export function stateOf(pid: number, tid = pid): string {
  const stat = readFileSync(`/proc/${pid}/task/${tid}/stat`, 'latin1');
  return stat[stat.lastIndexOf(')') + 2] ?? '?';
}

/** Waits until a process is in one of these states. */
export async function untilState(pid: number, states: string): Promise<void> {
  await vi.waitFor(
    () => {
      const state = stateOf(pid);
      if (!states.includes(state)) throw new Error(`${pid} is in state ${state}, not in one of ${states}`);
    },
    { timeout: patienceMs, interval: 10 },
  );
}

/** Waits until a process has become that program and sleeps. */
export async function untilNamed(pid: number, name: string): Promise<void> {
  await vi.waitFor(
    () => {
      const comm = readFileSync(`/proc/${pid}/comm`, 'latin1').trim();
      if (comm !== name || stateOf(pid) !== 'S')
        throw new Error(`${pid} is still ${comm} in ${stateOf(pid)}`);
    },
    { timeout: patienceMs, interval: 10 },
  );
}

/** `sleep`, asleep. */
export async function startSleeper(): Promise<Running> {
  const running = await startProgram(['sleep', '1000']);
  await untilNamed(running.pid, 'sleep');
  return running;
}
