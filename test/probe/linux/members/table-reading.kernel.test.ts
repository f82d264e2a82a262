import { expect, it } from 'vitest';
import { nextReading } from '../../../../src/probe/linux/snapshot/next-reading.js';
import { startRun } from '../../../run/stop/start-run.js';

it('scans that share a table find the same members as scans that read their own', async () => {
  const job = 'sleep 1000 & setsid sleep 1000 & echo ready; wait';
  const runs = [await startRun(['sh', '-c', job]), await startRun(['sh', '-c', job])];
  const own = runs.map(({ scan }) => scan.scan({ fresh: true }).map(({ pid }) => pid));
  const table = await nextReading();
  const shared = runs.map(({ scan }) => scan.scan({ fresh: true, table }).map(({ pid }) => pid));
  expect(own.map(({ length }) => length)).toEqual([3, 3]);
  expect(shared).toEqual(own);
});
