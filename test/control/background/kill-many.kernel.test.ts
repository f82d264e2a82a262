import fs, { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Receipt } from '../../../src/model/run/receipt.js';
import { BackgroundHome, until } from '../../support/background-home.js';
import { compile } from '../../support/compile.js';

let home: BackgroundHome;

beforeAll(() => {
  home = new BackgroundHome();
});

afterAll(() => home.end());

/** One that ends when asked; one that is deaf, with a child that has gone away from it. */
const polite = 'sleep 1000 & echo ready; wait';
const deaf = 'trap "" TERM; setsid sleep 1000 & echo ready; while :; do sleep 0.1; done';

/** Not asked for long when the test is over. */
const stays = { task: 'stays', options: { grace: '100ms' } };

test('killAll of many runs stops each whole tree, has no process in two receipts, and signals no other run', async () => {
  const canary = await home.start([await compile('tree/storm')], { env: { CANARY: '1' }, ...stays });
  const bystander = await home.start(['sh', '-c', deaf], stays);
  const goers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      home.start(['sh', '-c', index % 2 === 0 ? polite : deaf], { task: 'goes' }),
    ),
  );
  const isReady = async (id: string) =>
    (await home.call('poll', { id, reader: id })).output.includes('ready');
  for (const { id } of [canary, bystander, ...goers]) await until(() => isReady(id), 'it is ready');

  const killing = home.call('killAll', { task: 'goes', graceS: 0.5 });
  const listed = await home.call('list', { task: 'stays' });
  const { runs } = await killing;

  expect(listed.runs).toHaveLength(2);
  expect(new Set(runs.map(({ id }) => id))).toEqual(new Set(goers.map(({ id }) => id)));
  const signalled = runs.flatMap(({ receipt }) => (receipt as Receipt).processes.map(({ pid }) => pid));
  expect(new Set(signalled).size).toBe(signalled.length);
  for (const { id, status, receipt } of runs) {
    const { processes, survivors } = receipt as Receipt;
    const goer = goers.find((run) => run.id === id);
    expect([status, survivors]).toEqual(['killed', []]);
    expect(processes.length).toBeGreaterThanOrEqual(2);
    expect(processes.find(({ pid }) => pid === goer?.pid)?.because).toEqual(['leader']);
  }
  const { runs: left } = await home.call('list', { status: 'running' });
  expect(left.map(({ id, pid }) => [id, pid])).toEqual([
    [canary.id, canary.pid],
    [bystander.id, bystander.pid],
  ]);
  expect(readFileSync(canary.log, 'utf8')).not.toContain('signal');
});

test('killAll stops the others and tells what became of them when the place of one is gone', async () => {
  const gate = path.join(home.path, 'gate');
  const open = `#!/bin/sh\necho $$ >${gate}.pid\nexec env XDG_STATE_HOME=${home.path}/there "$@"\n`;
  fs.writeFileSync(gate, open, { mode: 0o755 });
  const there = await home.start(['sleep', '1241'], { on: `via:${gate}`, task: 'partly' });
  const here = await home.start(['sleep', '1242'], { task: 'partly' });
  fs.writeFileSync(gate, '#!/bin/sh\nexit 255\n');
  process.kill(Number(readFileSync(`${gate}.pid`, 'utf8')), 'SIGKILL');
  const { runs, errors } = await home.call('killAll', { task: 'partly' });
  fs.writeFileSync(gate, open);
  expect(runs).toMatchObject([{ id: here.id, status: 'killed', receipt: { survivors: [] } }]);
  expect(errors).toMatchObject([{ id: there.id, code: 'cannot-read' }]);
  const again = async () => (await home.call('killAll', { task: 'partly' })).errors.length === 0;
  await until(again, 'the place is back');
  expect((await home.call('poll', { id: there.id })).status).not.toBe('running');
});
