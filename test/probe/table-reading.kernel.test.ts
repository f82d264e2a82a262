import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { nextReading } from '../../src/probe/linux/table-reading.js';
import { startRun } from '../supervise/terminate/start-run.js';

it('H2: all who ask before the table is read share one reading, which is none of before', async () => {
  const asked = nextReading();
  const child = spawn('sleep', ['1000'], { stdio: 'ignore' });
  const pid = child.pid ?? 0;
  const [first, second] = await Promise.all([asked, nextReading()]);
  expect(second).toBe(first);
  expect(first.pids).toContain(pid);
  expect(first.row(pid)).toBe(first.row(pid));
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect((await nextReading()).pids).not.toContain(pid);
});

it('H2: who shares a reading finds the same members as who reads for himself', async () => {
  const job = 'sleep 1000 & setsid sleep 1000 & echo ready; wait';
  const runs = [await startRun(['sh', '-c', job]), await startRun(['sh', '-c', job])];
  const own = runs.map(({ scan }) => scan.scan({ fresh: true }).map(({ pid }) => pid));
  const table = await nextReading();
  const shared = runs.map(({ scan }) => scan.scan({ fresh: true, table }).map(({ pid }) => pid));
  expect(own.map(({ length }) => length)).toEqual([3, 3]);
  expect(shared).toEqual(own);
});
