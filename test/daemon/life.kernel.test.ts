import { existsSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { removeDirectory } from '../support/remove-directory.js';
import { isAlive } from '../support/start-run-cli.js';
import { makeHome, useDaemons } from './daemon-home.js';

useDaemons();

describe('a daemon on demand', () => {
  it('many clients at once start a single daemon, and all get their answer', async () => {
    const home = makeHome();
    const answers = await Promise.all(Array.from({ length: 20 }, () => home.call('echo', { text: 'äb' })));
    const pids = new Set(answers.map(({ json }) => json?.pid));
    expect(answers.filter(({ code, json }) => code !== 0 || json.bytes !== 3)).toEqual([]);
    expect(pids.size).toBe(1);
    // One that came too late may take a moment to end.
    await home.until('one daemon', () => home.daemons.join() === [...pids].join());
  });

  it('start and stop can be repeated; status has the pid', async () => {
    const home = makeHome();
    const none = await home.run(['daemon', 'status', '--json']);
    expect(none).toMatchObject({ code: 1, json: { running: false, pid: null, home: home.home } });
    const pid = await home.start();
    expect(await home.start()).toBe(pid);
    const status = await home.run(['daemon', 'status', '--json']);
    expect(status).toMatchObject({ code: 0, json: { running: true, pid, version: '1.5.0', runs: 0 } });
    expect(status.json.log).toBe(home.file('daemon.log'));
    expect((await home.run(['daemon', 'status'])).stdout).toMatch(`running as pid ${pid}, for `);
    await home.call('setLive', { count: 2 });
    const stop = await home.run(['daemon', 'stop']);
    expect(stop).toMatchObject({ code: 0, stdout: `the daemon (pid ${pid}) has ended; 2 runs go on\n` });
    expect(isAlive(pid)).toBe(false);
    expect(existsSync(home.file('daemon.sock'))).toBe(false);
    const again = await home.run(['daemon', 'stop', '--json']);
    expect(again).toMatchObject({ code: 0, json: { stopped: false, pid: null } });
  });

  it('status makes nothing', async () => {
    const home = makeHome();
    await removeDirectory(home.home);
    expect(await home.run(['daemon', 'status'])).toMatchObject({ code: 1 });
    expect(existsSync(home.home)).toBe(false);
  });

  it('the daemon keeps no environment, directory, terminal, session or ignored signal of the process that started it', async () => {
    const home = makeHome('home', { SECRET: 'x', UNSTUCK_RUN_ID: 'run_0', UNSTUCK_TIMEOUT: '5s' });
    const pid = await home.start();
    const environ = readFileSync(`/proc/${pid}/environ`, 'utf8');
    expect(environ).toContain(`UNSTUCK_HOME=${home.home}\0`);
    expect(environ).not.toMatch(/SECRET|RUN_ID|TIMEOUT/);
    expect(readlinkSync(`/proc/${pid}/cwd`)).toBe('/');
    expect(readlinkSync(`/proc/${pid}/fd/0`)).toBe('/dev/null');
    for (const fd of [1, 2]) expect(readlinkSync(`/proc/${pid}/fd/${fd}`)).toBe(home.file('daemon.log'));
    const [, parent, , session, terminal] = statFields(pid);
    expect(Number(terminal)).toBe(0);
    expect(session).not.toBe(statFields(process.pid)[3]);
    expect(Number(parent)).not.toBe(process.pid);
    // A shell has its background ignore SIGINT and SIGQUIT.
    const ignored = /^SigIgn:\t(\w+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    expect(Number.parseInt(ignored ?? 'none', 16) & 0b110).toBe(0);
    for (const name of ['daemon.sock', 'daemon.log', 'daemon.lock']) {
      expect(statSync(home.file(name)).mode & 0o777, name).toBe(0o600);
    }
  });

  it('UNSTUCK_DAEMON_IDLE: with nothing to do it ends, but not while a run is alive', async () => {
    const home = makeHome('home', { UNSTUCK_DAEMON_IDLE: '400ms' });
    await home.call('setLive', { count: 1 });
    // One that was idle before it was asked may still be ending.
    const { pid } = (await home.call('echo')).json;
    const endMs = performance.now() + 1500;
    await home.until('time to pass', () => performance.now() > endMs);
    expect(isAlive(pid)).toBe(true);
    await home.call('setLive', { count: 0 });
    await home.until('its end', () => !isAlive(pid));
    expect(home.log).toContain('ends: idle');
    const wrong = await home.run(['daemon', 'start'], { env: { UNSTUCK_DAEMON_IDLE: 'soon' } });
    expect(wrong).toMatchObject({
      code: 125,
      stderr: expect.stringContaining('hint: durations are written'),
    });
  });

  it('a home that is removed under it ends it, and its successor is left alone', async () => {
    const home = makeHome();
    const pid = await home.start();
    await removeDirectory(home.home);
    const next = await home.start();
    expect(next).not.toBe(pid);
    await home.until('the end of the first', () => !isAlive(pid));
    expect((await home.call('echo')).json.pid).toBe(next);
  });

  it('a path that is too long for a socket', async () => {
    const home = makeHome(`${'long/'.repeat(20)}ä`);
    const { json } = await home.call('echo');
    expect(json.pid).toBe((await home.run(['daemon', 'status', '--json'])).json.pid);
    expect(statSync(home.file('daemon.sock')).mode & 0o777).toBe(0o600);
    expect(await home.run(['daemon', 'stop'])).toMatchObject({ code: 0 });
    expect(existsSync(home.file('daemon.sock'))).toBe(false);
  });
});

/** state, parent, group, session, terminal. */
function statFields(pid: number): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}
