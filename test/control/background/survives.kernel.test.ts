import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type {
  OperationInput,
  OperationName,
  OperationOutput,
} from '../../../src/control/operations/table.js';
import { Failure } from '../../../src/model/failure.js';
import { BackgroundHome, inherited, until } from '../../support/background-home.js';
import { patienceMs } from '../../support/patience.js';

const killsWanted = 50;

let home: BackgroundHome;

beforeEach(() => {
  home = new BackgroundHome();
});

afterEach(() => home.end());

/** As a stubborn client: asks until it is answered, under the same request id. */
async function insist<Name extends OperationName>(
  name: Name,
  input: OperationInput<Name>,
): Promise<OperationOutput<Name>> {
  const requestId = randomUUID();
  const endMs = performance.now() + patienceMs;
  for (;;) {
    try {
      return await home.call(name, input, { requestId });
    } catch (error) {
      const isLost = error instanceof Failure && error.code === 'no-daemon';
      if (!isLost || performance.now() > endMs) throw error;
    }
  }
}

interface Tally {
  starts: string[];
  outputs: number;
  writes: number;
  kills: number;
}

async function startRun(tally: Tally, script: string, more: Partial<OperationInput<'start'>> = {}) {
  const token = randomUUID();
  tally.starts.push(token);
  const ran = path.join(home.path, 'ran.txt');
  return insist('start', {
    command: ['sh', '-c', `echo ${token} >>"$1"; ${script}`, 'sh', ran],
    cwd: home.path,
    inherit: inherited(home.env),
    options: { grace: '200ms' },
    ...more,
  });
}

async function ended(id: string): Promise<OperationOutput<'wait'>> {
  for (;;) {
    const answer = await insist('wait', { id, timeoutS: 60, until: ['exit'] });
    if (answer.status !== 'timeout') return answer;
  }
}

async function outputOf(id: string): Promise<string> {
  const { log, logStart } = await insist('inspect', { id });
  return fs.readFileSync(log).subarray(logStart).toString();
}

/** Prints and ends. */
async function printAndEnd(tally: Tally): Promise<void> {
  const [lines, code] = [1 + Math.floor(Math.random() * 3000), Math.floor(Math.random() * 100)];
  const { id } = await startRun(tally, `seq ${lines}; exit ${code}`);
  const answer = await ended(id);
  expect(answer).toMatchObject({ status: 'exited', exit: { code, signal: null } });
  expect(['recorded', 'observed']).toContain(answer.exit?.provenance);
  const expected = Array.from({ length: lines }, (_, n) => `${n + 1}\n`).join('');
  expect(await outputOf(id)).toBe(expected);
  tally.outputs += 1;
}

/** Every line that is written arrives once, in order, then the end. */
async function writeLines(tally: Tally): Promise<void> {
  const { id } = await startRun(tally, 'exec cat', { input: 'pipe' });
  const lines = Array.from({ length: 8 }, (_, n) => `line ${n} ${randomUUID()}`);
  for (const line of lines) {
    const { bytes } = await insist('submit', { id, data: line });
    expect(bytes).toBe(line.length + 1);
    tally.writes += 1;
  }
  await insist('close', { id });
  expect(await ended(id)).toMatchObject({ status: 'exited', exit: { code: 0, provenance: 'recorded' } });
  expect(await outputOf(id)).toBe(lines.map((line) => `${line}\n`).join(''));
}

/** A tree that is to be stopped is stopped, also when the daemon that stops it is killed half-way. */
async function stopTree(tally: Tally): Promise<void> {
  const script = 'sleep 1000 & trap "" TERM; echo deaf; while :; do sleep 1000; done';
  const { id, pid, log } = await startRun(tally, script);
  await until(() => fs.readFileSync(log, 'utf8').includes('deaf'), 'it ignores SIGTERM');
  const answer = await insist('kill', { id });
  expect(answer).toMatchObject({
    status: 'killed',
    exit: { code: 137, signal: 'SIGKILL', provenance: 'recorded' },
  });
  expect(fs.existsSync(`/proc/${pid}`)).toBe(false);
  tally.kills += 1;
}

/** What one reader is given, piece by piece, is the output: nothing twice, nothing left out. */
async function readAlong(id: string, isOver: () => boolean): Promise<string> {
  let text = '';
  for (;;) {
    const last = isOver();
    const { output, omitted } = await insist('poll', { id, reader: 'along', limit: 1_000_000 });
    expect(omitted).toBe(0);
    text += output;
    if (last) return text;
    await delay(20);
  }
}

async function again(isOver: () => boolean, work: () => Promise<void>): Promise<void> {
  while (!isOver()) await work();
}

describe('the daemon is killed again and again', () => {
  test(`${killsWanted} times, and nothing is lost, nothing runs twice, nothing is stopped by it`, async () => {
    const canary = spawn('sleep', ['1000'], { stdio: 'ignore' });
    const tally: Tally = { starts: [], outputs: 0, writes: 0, kills: 0 };
    try {
      const chatty = await startRun(tally, 'n=0; while :; do n=$((n+1)); echo "$n"; sleep 0.02; done');
      const silent = await startRun(tally, 'exec sleep 1000');
      let killed = 0;
      const isOver = () => killed >= killsWanted;
      const killer = async () => {
        while (!isOver()) {
          // Some while they start and adopt, the others while they work.
          if (Math.random() < 0.5) await insist('list', {});
          await delay(Math.random() * 80);
          if (await home.killDaemon()) killed += 1;
        }
      };
      const reading = readAlong(chatty.id, isOver);
      await Promise.all([
        killer(),
        again(isOver, () => printAndEnd(tally)),
        again(isOver, () => writeLines(tally)),
        again(isOver, () => stopTree(tally)),
        reading,
      ]);

      const read = await reading;
      expect(read.length).toBeGreaterThan(0);
      expect((await outputOf(chatty.id)).startsWith(read)).toBe(true);
      const { runs, unreadable } = await insist('list', { status: 'running' });
      expect(unreadable).toEqual([]);
      expect(runs.map(({ id, pid }) => ({ id, pid }))).toEqual(
        expect.arrayContaining([chatty, silent].map(({ id, pid }) => ({ id, pid }))),
      );
      expect(runs.map(({ command, why }) => `${command}: ${why}`)).toHaveLength(2);
      expect(canary.exitCode).toBeNull();
      expect(canary.signalCode).toBeNull();

      const ran = fs.readFileSync(path.join(home.path, 'ran.txt'), 'utf8').trim().split('\n');
      expect(ran.toSorted()).toEqual(tally.starts.toSorted());
      expect(tally.outputs).toBeGreaterThan(0);
      expect(tally.writes).toBeGreaterThan(0);
      expect(tally.kills).toBeGreaterThan(0);
    } finally {
      canary.kill('SIGKILL');
    }
  }, 600_000);
});
