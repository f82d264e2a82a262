import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, constants as fsConstants, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { callDaemon } from '../../../src/control/client/daemon-client.js';
import { protocol } from '../../../src/control/client/protocol.js';
import { reachDaemon } from '../../../src/control/client/reach-daemon.js';
import { loadLibc } from '../../../src/probe/linux/native/libc.js';
import { type DaemonHome, makeHome, useDaemons } from '../../daemon/daemon-home.js';
import { openFiles } from '../../support/open-files.js';
import { isAlive } from '../../support/start-run-cli.js';

useDaemons();

const { execPath } = process;

afterEach(() => {
  process.execPath = execPath;
});

/** A Node that never runs anything, or no file, as under `ulimit -u`; returns the file with its pid. */
function hangNode(home: DaemonHome, what: 'anything' | 'files'): string {
  const [node, mark] = [home.file('node'), home.file('mark')];
  const pass = what === 'files' ? `[ "$1" != -e ] || exec '${execPath}' "$@"` : '';
  writeFileSync(node, `#!/bin/sh\n${pass}\necho $$ >'${mark}'\nexec sleep 30\n`, { mode: 0o755 });
  process.execPath = node;
  return mark;
}

async function expectEnded(home: DaemonHome, mark: string): Promise<void> {
  const pid = Number(readFileSync(mark, 'utf8'));
  expect(pid).toBeGreaterThan(1);
  await home.until('its end', () => !isAlive(pid));
}

describe('starting a daemon', () => {
  it('one that computes before it listens gets more time than one that rests', async () => {
    const home = makeHome();
    const [cli, mark] = [home.file('cli.cjs'), home.file('mark')];
    const hello = { version: __UNSTUCK_VERSION__, protocol, pid: 4711, startedAt: '', runs: 0, home: '' };
    const listen = `require('http').createServer((_, answer) => answer.end(${JSON.stringify(JSON.stringify(hello))}))
      .listen(${JSON.stringify(home.file('daemon.sock'))})`;
    const note = `require('fs').writeFileSync(${JSON.stringify(mark)}, String(process.pid));`;
    const options = { env: { ...home.env, UNSTUCK_CLI: cli }, patienceMs: 2000 };
    writeFileSync(cli, `${note} Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000);`);
    await expect(reachDaemon(home.home, options)).rejects.toThrow('the daemon does not start');
    await expectEnded(home, mark);
    writeFileSync(cli, `${note} while (process.cpuUsage().user < 2.3e6); ${listen}`);
    expect(await reachDaemon(home.home, options)).toMatchObject({ pid: 4711 });
    process.kill(Number(readFileSync(mark, 'utf8')), 'SIGKILL');
  });

  it('the daemon keeps no descriptor of the process that starts it, a lock least of all', async () => {
    const home = makeHome();
    const lock = home.file('lock');
    const script = 'exec 5<"$0" 77<"$0" 200>"$0"; flock 200; exec "$@"';
    writeFileSync(lock, '');
    const pid = await home.start({ before: ['bash', '-c', script, lock] });
    expect(openFiles(pid)).not.toContain(lock);
    expect(spawnSync('flock', ['--nonblock', lock, 'true']).status).toBe(0);
  });

  it.each(['anything', 'files'] as const)(
    'a client that gives up ends the daemon that it started and that is not ready (%s)',
    async (what) => {
      const home = makeHome();
      const mark = hangNode(home, what);
      // Inherited by a child, unlike all that Node opens: something goes before the daemon.
      const inherited = loadLibc()?.posix_openpt(fsConstants.O_RDWR | fsConstants.O_NOCTTY) ?? -1;
      onTestFinished(() => closeSync(inherited));
      const enough = new AbortController();
      const call = callDaemon('echo', {}, { env: home.env, signal: enough.signal });
      call.catch(() => {});
      await home.until('the start', () => existsSync(mark) && readFileSync(mark, 'utf8').endsWith('\n'));
      enough.abort(new Error('enough'));
      await expect(call).rejects.toThrow('enough');
      await expectEnded(home, mark);
    },
  );
});
