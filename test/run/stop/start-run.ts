import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { vi } from 'vitest';
import { isAbsent } from '../../../src/model/facts/absence.js';
import type { ProcessIdentity } from '../../../src/model/facts/identity.js';
import { identify, readRow } from '../../../src/probe/linux/identity/identify.js';
import { MemberScan } from '../../../src/probe/linux/members/members.js';
import { fixturePath } from '../../support/find-tool.js';
import { patienceMs } from '../../support/patience.js';
import { afterEveryTest } from '../../support/per-test.js';
import { readFirstLine } from '../../support/read-first-line.js';
import { markName, readIdentity } from '../../support/read-tree.js';
import { stopTree } from '../../support/stop-tree.js';

/** As a run is started: the command leads a session of its own below a shell that keeps it and drains its output. */
const shimScript = `
  ( setsid sh -c 'echo $$ >&3; exec "$@" 3>&-' sh "$@"; exit $? ) | cat 3>&-`;

export interface StartedRun {
  runId: string;
  shim: number;
  leader: ProcessIdentity;
  /** The first line of the command. */
  line: string;
  scan: MemberScan;
}

export interface RunOptions {
  env?: Record<string, string>;
  cwd?: string;
}

const stops: (() => Promise<void>)[] = [];

afterEveryTest(async () => {
  for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) await stop();
});

export function newRunId(): string {
  return `run_${randomBytes(6).toString('hex')}`;
}

export function testEnvironment(mark: string): Record<string, string> {
  return {
    PATH: fixturePath,
    LANG: 'C.UTF-8',
    [markName]: mark,
    UNSTUCK_TEST_SESSION: process.env.UNSTUCK_TEST_SESSION ?? '',
  };
}

/** Starts a command that prints a line when it is ready; all of it ends with the test. */
export async function startRun(argv: readonly string[], options: RunOptions = {}): Promise<StartedRun> {
  const runId = newRunId();
  const mark = randomBytes(6).toString('hex');
  const child = spawn('sh', ['-c', shimScript, 'sh', ...argv], {
    cwd: options.cwd,
    detached: true,
    env: { ...testEnvironment(mark), UNSTUCK_RUN_ID: runId, ...options.env },
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
  });
  await once(child, 'spawn');
  const shim = child.pid ?? -1;
  const root = readIdentity(shim);
  stops.push(async () => {
    await stopTree(mark, root);
    for (const stream of child.stdio) stream?.destroy();
  });
  const line = readFirstLine(child);
  const [told] = (await once(child.stdio[3] as Readable, 'data')) as [Buffer];
  const ready = await line;
  const leader = identify(Number(told.toString()));
  if (leader === null) throw new Error(`${argv.join(' ')} has ended already`);
  return { runId, shim, leader, line: ready, scan: new MemberScan({ runId, leader, shim }) };
}

export interface Canary {
  pid: number;
  /** The signals it got so far; rejects when it is gone or stopped. */
  heard(): Promise<number[]>;
}

/** The last one: a process that asks for no order gets all others first. */
const question = 64;

/** A process that could be mistaken for a member: same command, same directory, another run. */
export async function startCanary(argv: readonly string[], options: RunOptions = {}): Promise<Canary> {
  const mark = randomBytes(6).toString('hex');
  const [file = '', ...args] = argv;
  const child = spawn(file, args, {
    cwd: options.cwd,
    env: { ...testEnvironment(mark), UNSTUCK_RUN_ID: newRunId(), CANARY: '1', ...options.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child, 'spawn');
  const pid = child.pid ?? -1;
  const root = readIdentity(pid);
  stops.push(async () => {
    await stopTree(mark, root);
    child.stdout.destroy();
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  await readFirstLine(child);
  const heard = async () => {
    process.kill(pid, question);
    await until(() => said.includes(`signal ${question}\n`), 'the canary answers');
    const signals = [...said.matchAll(/signal (\d+)/g)].map(([, number]) => Number(number));
    return signals.filter((number) => number !== question);
  };
  return { pid, heard };
}

/** For a process that has cut all ties by which the test could find it. */
export function stopAtEnd(pid: number): void {
  const { startTicks } = readIdentity(pid);
  stops.push(async () => {
    if (isAlive({ pid, startTicks })) process.kill(pid, 'SIGKILL');
  });
}

export function isAlive({ pid, startTicks }: { pid: number; startTicks: number }): boolean {
  const row = readRow(pid);
  return !isAbsent(row) && row.startTicks === startTicks && !row.ended;
}

/** null: there is no such process. */
export function parentOf(pid: number): number | null {
  const row = readRow(pid);
  return isAbsent(row) ? null : row.parent;
}

export function stateOf(pid: number): string | null {
  const row = readRow(pid);
  return isAbsent(row) ? null : row.state;
}

export async function until(condition: () => boolean, what: string): Promise<void> {
  await vi.waitFor(
    () => {
      if (!condition()) throw new Error(`never so: ${what}`);
    },
    { timeout: patienceMs, interval: 5 },
  );
}
