import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findOrphans, killOrphans } from '../../../src/control/orphans/orphans.js';
import { askUntil } from '../../support/ask-until.js';
import { ownHome, until } from '../../support/background-home.js';
import { compile, programsDir } from '../../support/compile.js';
import { patienceMs } from '../../support/patience.js';

test('a run in another place has the health, the numbers and the verdict of its processes there', async () => {
  const home = ownHome();
  const { id } = await home.start(['sh', '-c', 'kill -STOP $$; exit 5'], {
    on: `via:env HOME=${home.path}`,
    cwd: '/',
    options: { sample: '200ms', activityWindow: '800ms' },
  });
  const row = async () => (await home.call('list', {})).runs.find((run) => run.id === id);
  await until(async () => ((await row())?.residentBytes ?? 0) > 0, 'its memory is known');
  const stuck = await askUntil(row, (run) => run?.health === 'confirmed-stuck');
  expect(stuck).toMatchObject({
    health: 'confirmed-stuck',
    why: expect.stringMatching(/stopped by SIGSTOP/),
  });
  await home.call('kill', { id });
});

test('a stuck part of a run in another place is stopped there, and the run goes on', async () => {
  const home = ownHome();
  const parent = path.join(programsDir, 'ticking-parent.mjs');
  // A shell cannot compare event loops: that of a stranger is no reason for doubt.
  const stranger = spawn(process.execPath, ['-e', 'setInterval(() => {}, 60_000)'], {
    stdio: 'ignore',
    detached: true,
  });
  onTestFinished(async () => {
    stranger.kill('SIGKILL');
    await once(stranger, 'exit');
  });
  const tool = `${await compile('pipe-write-deadlock')}; echo after`;
  const { id } = await home.start([process.execPath, parent, tool], {
    on: `via:env HOME=${home.path}`,
    cwd: '/',
    options: { sample: '300ms', killStuck: 'part', grace: '500ms' },
  });
  // Three snapshots that a shell takes. A test that fails waits so long.
  await until(async () => (await home.call('poll', { id })).status === 'exited', 'its end', 3 * patienceMs);
  expect((await home.call('poll', { id, reader: 'b' })).exit).toMatchObject({ code: 0 });
  expect((await home.call('log', { id })).lines.at(-1)).toMatch(/^tool ended/);
});

test('what outlived a run in another place is found there by its mark, and stopped', async () => {
  const home = ownHome();
  const on = `via:env HOME=${home.path}`;
  const left = 'setsid sleep 4445 >/dev/null 2>&1 & exit 3';
  const { id } = await home.start(['sh', '-c', left], { on, cwd: '/' });
  const alive = await home.start(['sleep', '4446'], { on, cwd: '/' });
  await until(async () => (await home.call('poll', { id })).status === 'exited', 'its end');
  const which = { on, home: home.path };
  const ours = await askUntil(
    async () => (await findOrphans(which)).filter(({ run }) => run?.id === id),
    (found) => found.length === 1 && found[0]?.command === 'sleep 4445',
  );
  expect(ours).toMatchObject([{ command: 'sleep 4445', classification: 'confirmed', run: { id } }]);
  const { results } = await killOrphans(which);
  expect(results.filter(({ result }) => result === 'killed').map(({ run }) => run?.id)).toContain(id);
  expect(results.map(({ run }) => run?.id)).not.toContain(alive.id);
  expect((await findOrphans(which)).map(({ run }) => run?.id)).not.toContain(id);
  expect((await home.call('poll', { id: alive.id })).status).toBe('running');
});

test('a run whose place never comes back is unreachable since a time, and can be given up', async () => {
  const home = ownHome();
  const closed = path.join(home.path, 'closed');
  const gate = `sh -c '[ ! -e ${closed} ] || { echo Connection refused >&2; exit 255; }; exec env HOME=${home.path} "$@"' gate`;
  const line = `while [ ! -e ${closed}.end ]; do sleep 0.1; done`;
  const { id, pid } = await home.start(['sh', '-c', line], { on: `via:${gate}`, cwd: '/' });
  fs.writeFileSync(closed, '');
  await home.killDaemon();
  const row = async () => (await home.call('list', {})).runs.find((run) => run.id === id);
  await until(async () => (await row())?.unreachableSince !== undefined, 'it is unreachable');
  expect(await row()).toMatchObject({
    status: 'running',
    why: expect.stringMatching(/^unreachable for .* does not answer/),
  });
  const file = path.join(home.path, 'runs', id, 'unreachable.json');
  const since = JSON.parse(fs.readFileSync(file, 'utf8'));
  await home.killDaemon();
  await until(async () => (await row())?.unreachableSince === since, 'another daemon knows since when');
  fs.writeFileSync(file, JSON.stringify(new Date(Date.now() - 3_600_000).toISOString()));
  expect(await home.call('remove', { id, force: true })).toMatchObject({ removed: true, killed: null });
  expect(await row()).toBe(undefined);
  expect(fs.existsSync(`/proc/${pid}`)).toBe(true);
  fs.writeFileSync(`${closed}.end`, '');
  await until(() => !fs.existsSync(`/proc/${pid}`), 'it ends there');
});
