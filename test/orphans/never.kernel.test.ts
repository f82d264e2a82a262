import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { expect, it } from 'vitest';
import type { OrphanKill } from '../../src/model/orphan.js';
import { identify } from '../../src/probe/linux/identity/identify.js';
import { isAlive, newRunId } from '../run/stop/start-run.js';
import { until } from '../support/background-home.js';
import { findTool } from '../support/find-tool.js';
import { readIdentity } from '../support/read-tree.js';
import { canReusePids, reaping } from '../support/reusable-pids.js';
import { runAs } from '../support/run-as.js';
import { OrphanHome } from './orphan-home.js';

const reaper = new URL('./reap.program.ts', import.meta.url);
const nobody = 65534;
const asNobody = ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', '--inh-caps=-all'];
const isRoot = process.getuid?.() === 0;
const python = findTool('python3');
const canBeNobody =
  isRoot && spawnSync(asNobody[0] ?? '', [...asNobody.slice(1), process.execPath, '--version']).status === 0;

const optionsFor = (home: OrphanHome) =>
  JSON.stringify({ home: home.path, projectDir: home.project, graceMs: 50, force: true });

it('an ancestor of ours is never an orphan, even with the id of a run that has ended', async () => {
  const home = new OrphanHome();
  const id = await home.run('sleep 1000 & echo $! >left');
  const left = await home.pid('left');
  const before = [
    'env',
    `UNSTUCK_RUN_ID=${id}`,
    `UNSTUCK_HOME=${home.path}`,
    'sh',
    '-c',
    '"$@"; exit $?',
    'sh',
  ];
  const kill = (await runAs(before, reaper, optionsFor(home))) as OrphanKill;
  expect(kill.results.map(({ pid, result }) => [pid, result])).toEqual([[left, 'killed']]);
});

it.skipIf(!canBeNobody)(
  'a process of another user is never an orphan, whatever its environment holds, not even for root',
  async () => {
    const home = new OrphanHome();
    const id = await home.run('sleep 1000 & echo $! >left');
    const left = await home.pid('left');
    fs.chmodSync(home.path, 0o755);
    const env = { UNSTUCK_RUN_ID: id };
    const theirs = home.start([...asNobody, 'sleep', '1000'], env);
    const exe = () => fs.readlinkSync(`/proc/${theirs}/exe`);
    await until(() => !exe().endsWith('node') && !exe().endsWith('setpriv'), 'it is somebody else’s');
    const canary = readIdentity(theirs);
    const kill = (await runAs([], reaper, optionsFor(home))) as OrphanKill;
    expect(kill.results.map(({ pid }) => pid)).toEqual([left]);
    expect(kill.receipt?.processes.map(({ pid }) => pid)).toEqual([left]);
    expect(isAlive(canary)).toBe(true);
  },
);

it.skipIf(!canBeNobody || python === null)('EPERM is reported as a failure, with what helps', async () => {
  const home = new OrphanHome();
  // A process that runs as nobody and that only root may signal, and a process of root.
  const half = home.start([
    python ?? '',
    '-c',
    'import os, time; os.setresuid(0, 65534, 0); time.sleep(1000)',
  ]);
  const whole = home.start(['sleep', '1000']);
  await until(
    () => /^Uid:\s+0\s+65534/m.test(fs.readFileSync(`/proc/${half}/status`, 'utf8')),
    'it has changed',
  );
  for (const pid of [half, whole]) record(home, pid);
  fs.chmodSync(home.path, 0o755);
  spawnSync('chown', ['-R', `${nobody}:${nobody}`, home.path]);
  const kill = (await runAs(asNobody, reaper, optionsFor(home))) as OrphanKill;
  expect(kill).toMatchObject({
    killed: 0,
    skipped: 0,
    failed: 2,
    tip: '2 owned by another user: run it again with sudo',
  });
  const because = new Map(kill.results.map((one) => [one.pid, one.because]));
  expect(because.get(half)).toBe('not permitted (EPERM)');
  expect(because.get(whole)).toBe('it runs as another user');
  expect([half, whole].map(readIdentity).filter(isAlive)).toHaveLength(2);
});

/** As if it were the command of a run in the foreground, whose supervisor is gone. */
function record(home: OrphanHome, pid: number): void {
  const directory = home.directory(newRunId());
  const identity = identify(pid);
  fs.mkdirSync(directory.path, { recursive: true });
  fs.writeFileSync(directory.file('pid'), fs.readFileSync(`/proc/${pid}/stat`));
  directory.writeWhole('run.json', {
    version: 1,
    id: directory.id,
    label: 'job',
    command: 'job',
    cwd: '/',
    startedAt: new Date().toISOString(),
    identity,
    supervisor: identity === null ? null : { ...identity, startTicks: 1 },
    logs: [],
    background: null,
  });
}

it.skipIf(!canReusePids)(
  'a process with a reused pid is a stranger, and so is the session of that pid',
  async () => {
    expect(await runAs(reaping, new URL('./reuse.program.ts', import.meta.url))).toEqual({
      atFirst: ['recorded', 'session'],
      reused: [],
      reusedSession: [],
      alive: [true, true],
    });
  },
);
