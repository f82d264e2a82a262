import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { daemonStatus } from '../../src/control/client/daemon-status.js';
import { daemonArgv } from '../../src/control/client/start-daemon.js';
import { BackgroundHome, until } from '../support/background-home.js';
import { openSockets } from '../support/open-files.js';

const cli = new URL('../../dist/cli.cjs', import.meta.url).pathname;
const filesMax = 64;

let home: BackgroundHome;
let daemon: ChildProcess;

beforeEach(async () => {
  home = new BackgroundHome();
  const words = ['-c', `ulimit -n ${filesMax}; exec "$@"`, 'sh', ...daemonArgv(process.execPath, cli)];
  daemon = spawn('/bin/sh', words, { env: home.env, stdio: 'ignore' });
  await until(() => home.daemonPid === daemon.pid, 'a daemon');
});

afterEach(async () => {
  await home.end();
  if (daemon.exitCode === null && daemon.signalCode === null) await once(daemon, 'exit');
});

const isAlive = (pid: number | null) => fs.existsSync(`/proc/${pid}/stat`);
const filesOf = (pid: number) => fs.readdirSync(`/proc/${pid}/fd`).length;

describe(`a daemon that may open ${filesMax} files`, () => {
  test('carries more runs than it has files for, and knows how each of them is', async () => {
    const options = { sample: '100ms' };
    const runs: (number | null)[] = [];
    for (let n = 0; n < 14; n += 1) {
      runs.push((await home.start(['sleep', '1000'], { input: 'pipe', options })).pid);
    }
    const isSampled = async () => {
      const { runs: listed } = await home.call('list', {});
      return listed.every(({ residentBytes }) => residentBytes > 0);
    };
    await until(isSampled, 'a sample of each');
    // More are open for a moment while it reads about its runs.
    await until(() => filesOf(daemon.pid ?? -1) < filesMax - 16, 'files to spare');
    const { runs: killed } = await home.call('killAll', {});
    for (const { status, exit, receipt } of killed) {
      expect(status).toBe('killed');
      expect(exit).toMatchObject({ signal: 'SIGTERM', provenance: 'recorded' });
      expect(receipt).toMatchObject({ whole: true, survivors: [] });
    }
    expect(killed.length).toBe(14);
    expect(runs.filter(isAlive)).toEqual([]);
  });

  test('refuses a start without enough descriptors, with the reason, and starts again when there are enough', async () => {
    const { id } = await home.start(['sleep', '1000']);
    const enough = new AbortController();
    const waits = Array.from({ length: 15 }, () =>
      home.call('wait', { id, timeoutS: 60, until: ['exit'] }, { signal: enough.signal }).catch(() => null),
    );
    // All of them, and the one it listens on: with fewer it is short of files for moments only.
    await until(() => openSockets(daemon.pid ?? -1) > waits.length, 'all that wait');
    const isShort = async () => (await daemonStatus(home.env)).trouble !== null;
    await until(isShort, 'too few files');
    expect((await daemonStatus(home.env)).trouble).toMatch(
      /^the daemon may open 64 files and \d+ are in use$/,
    );
    await expect(home.start(['true'])).rejects.toMatchObject({
      code: 'cannot-start',
      message: expect.stringMatching(/^the daemon may open 64 files and \d+ are in use$/),
      hint: expect.stringContaining('ulimit -n'),
    });
    expect((await home.call('list', {})).runs).toMatchObject([{ id, status: 'running' }]);
    enough.abort();
    await Promise.all(waits);
    const isRoom = async () =>
      home.start(['true']).then(
        () => true,
        () => false,
      );
    await until(isRoom, 'room for a run');
  });
});
