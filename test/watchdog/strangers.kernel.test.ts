import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { identify } from '../../src/probe/linux/identity/identify.js';
import { knownProcess } from '../../src/watchdog/subject.js';
import { Sweep } from '../../src/watchdog/sweep.js';
import { Watcher } from '../../src/watchdog/watcher.js';
import { isAlive } from '../run/stop/start-run.js';
import { runAs } from '../support/run-as.js';
import { FakeClock } from './fake-clock.js';
import { startReady } from './start-child.js';
import { watcherOptions } from './watcher-options.js';

const nobody = 65534;
const asNobody = ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', '--inh-caps=-all'];
const inNamespace = [
  'unshare',
  '--user',
  '--map-root-user',
  '--pid',
  '--fork',
  '--mount-proc',
  '--kill-child',
];

function works([file = '', ...args]: string[]): boolean {
  return spawnSync(file, [...args, process.execPath, '--version']).status === 0;
}

const isRoot = process.getuid?.() === 0;

it.skipIf(!works(inNamespace))(
  'a process that reuses the pid of the watched process is left alone',
  async () => {
    const told = await runAs(inNamespace, new URL('./reused.program.ts', import.meta.url));
    expect(told).toEqual({ isReused: true, before: 'watching', how: 'exited', isUnharmed: true });
  },
);

it('another process with the same number has nothing to do with it', async () => {
  const { who } = await startReady('echo begin; exec sleep 1000');
  const clock = new FakeClock();
  const other = { ...who, startTicks: who.startTicks - 1 };
  const watcher = new Watcher(knownProcess(other, null), watcherOptions(), new Sweep(clock));
  clock.pass(200_000);
  expect(await watcher.done).toBe('exited');
  expect(isAlive(who)).toBe(true);
});

it.skipIf(!isRoot || !works(asNobody))(
  'a process that may not be signalled is alive, and stays so',
  async () => {
    const { child, who } = await startReady('echo begin; exec sleep 1000');
    const told = await runAs(
      asNobody,
      new URL('./not-permitted.program.ts', import.meta.url),
      String(child.pid),
    );
    expect(told).toMatchObject({
      before: 'watching',
      name: 'WatchdogTimeoutError',
      signal: null,
      isGone: false,
    });
    expect(told).toMatchObject({ message: expect.stringContaining('it could not be ended') });
    expect(identify(child.pid)).toEqual(who);
  },
);
