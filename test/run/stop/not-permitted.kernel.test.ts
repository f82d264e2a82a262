import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import type { Receipt } from '../../../src/model/run/receipt.js';
import { compile } from '../../support/compile.js';
import { runAs } from '../../support/run-as.js';
import { isAlive, startRun } from './start-run.js';

const nobody = 65534;
const asNobody = ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', '--inh-caps=-all'];

// Only root can make a tree of two users; for the user nobody, it has a process that may not be signalled.
const canTry =
  process.getuid?.() === 0 &&
  spawnSync(asNobody[0] ?? '', [...asNobody.slice(1), process.execPath, '--version']).status === 0;

it.skipIf(!canTry)('another user’s process in the tree is named, and the rest is stopped', async () => {
  const { runId, leader, shim, line } = await startRun([await compile('tree/half-root'), String(nobody)]);
  const roots = Number(line.split(' ')[1]);
  // All of it passes, for the process that may not be signalled: enough for the end of the other on a busy machine.
  const options = JSON.stringify({ runId, leader, shim, graceMs: 10_000 });
  const receipt = (await runAs(asNobody, new URL('./stop-run.ts', import.meta.url), options)) as Receipt;
  // Numbers begin anew: the order of the two is not known.
  const entry = (pid: number) => receipt.processes.find((process) => process.pid === pid);
  expect(receipt.processes).toHaveLength(2);
  expect(entry(leader.pid)).toMatchObject({ because: ['leader'], signals: ['SIGTERM'], result: 'ended' });
  expect(entry(roots)).toMatchObject({
    because: ['descendant', 'group', 'session'],
    signals: [],
    result: 'not-permitted',
  });
  expect(receipt.survivors).toEqual([roots]);
  expect(isAlive(leader)).toBe(false);
});
