import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunEvent, RunReport } from '../../../src/model/run/run.js';
import { BackgroundHome, until } from '../../support/background-home.js';

let home: BackgroundHome;

beforeEach(() => {
  home = new BackgroundHome();
});

afterEach(() => home.end());

const fileOf = (id: string, name: string) => path.join(home.path, 'runs', id, name);
const reportOf = (id: string): RunReport => JSON.parse(fs.readFileSync(fileOf(id, 'report.json'), 'utf8'));
const eventsOf = (id: string): RunEvent[] =>
  fs
    .readFileSync(fileOf(id, 'events.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const isRunning = (pid: number | undefined) => fs.existsSync(`/proc/${pid}`);

/** Part of a script: waits until its last job is no shell any more. */
const sleeps = 'while read -r name </proc/$!/comm && [ "$name" != sleep ]; do sleep 0.02; done';

/** The command ends and leaves a process that holds none of its output. */
const leaving = ['sh', '-c', `sleep 1000 >/dev/null 2>&1 & ${sleeps}; exit 3`];

test('what a run leaves behind is named in its report, and its end is the last event', async () => {
  const { id } = await home.start(leaving);
  expect(await home.call('wait', { id })).toMatchObject({ status: 'exited', exit: { code: 3 } });
  const { leftBehind, warnings, receipt } = reportOf(id);
  expect(leftBehind).toMatchObject([{ command: 'sleep 1000' }]);
  expect(warnings.join()).toContain('left running: sleep 1000');
  expect(receipt).toBeNull();
  expect(eventsOf(id).at(-1)).toMatchObject({ kind: 'exited', outcome: 'exited', exitCode: 3 });
  expect(await home.call('kill', { id })).toMatchObject({ status: 'killed' });
  await until(() => !isRunning(leftBehind[0]?.pid), 'it is stopped');
});

test('leftovers that are stopped are in the receipt of the report', async () => {
  const { id } = await home.start(leaving, { options: { leftovers: 'kill' } });
  expect(await home.call('wait', { id })).toMatchObject({ status: 'exited' });
  const { leftBehind, receipt } = reportOf(id);
  expect(leftBehind).toEqual([]);
  expect(receipt?.processes).toMatchObject([{ command: 'sleep 1000', result: 'ended' }]);
  expect(eventsOf(id).map(({ kind }) => kind)).toEqual(['killed', 'exited']);
});

test('a leftover is known by its session when its shell is killed and its environment is gone', async () => {
  const { id, pid } = await home.start(['sh', '-c', 'env -i sleep 1000 >/dev/null 2>&1; exit 3'], {
    options: { leftovers: 'kill' },
  });
  const child = () => fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  const isSleeping = () => fs.readFileSync(`/proc/${child()}/comm`, 'utf8') === 'sleep\n';
  await until(() => child() !== '' && isSleeping(), 'it sleeps');
  process.kill(pid as number, 'SIGKILL');
  expect(await home.call('wait', { id })).toMatchObject({ status: 'exited', exit: { signal: 'SIGKILL' } });
  const { leftBehind, receipt } = reportOf(id);
  expect(leftBehind).toEqual([]);
  expect(receipt?.processes).toMatchObject([{ command: 'sleep 1000', result: 'ended' }]);
});

test('the next daemon does not report the end of a run again', async () => {
  const { id } = await home.start(['sh', '-c', 'exit 3']);
  await home.call('wait', { id });
  const before = [reportOf(id), eventsOf(id)];
  await home.killDaemon();
  expect(await home.call('wait', { id })).toMatchObject({ status: 'exited', exit: { code: 3 } });
  expect([reportOf(id), eventsOf(id)]).toEqual(before);
});

test('a kill while another process holds the output of an ended command stops that process', async () => {
  const { id } = await home.start(['sh', '-c', `sleep 1000 & ${sleeps}; exit 0`], {
    options: { linger: '10m' },
  });
  await until(() => fs.readFileSync(fileOf(id, 'exit'), 'utf8').startsWith('0'), 'the command has ended');
  const { receipt } = await home.call('kill', { id });
  expect(receipt?.processes).toMatchObject([{ command: 'sleep 1000', result: 'ended' }]);
});
