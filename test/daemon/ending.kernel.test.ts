import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isAlive } from '../support/start-run-cli.js';
import { makeHome, useDaemons } from './daemon-home.js';

useDaemons();

describe.concurrent('a daemon that ends', () => {
  it('SIGKILL: the next call starts a new daemon, whatever is left of the old', async () => {
    const home = makeHome();
    const pid = await home.start();
    process.kill(pid, 'SIGKILL');
    await home.until('its end', () => !isAlive(pid));
    expect(existsSync(home.file('daemon.sock'))).toBe(true);
    const { json } = await home.call('echo');
    expect(json.pid).not.toBe(pid);
    expect(home.daemons).toEqual([json.pid]);
  });

  it('SIGKILL in the middle of a request: it is made again under the same id', async () => {
    const home = makeHome();
    const { json } = await home.call('dieOnce', { text: home.file('died') });
    expect(json).toMatchObject({ pid: home.daemons[0], first: expect.stringMatching(/./) });
    expect(json.again).toBe(json.first);
  });

  it('a daemon that dies every time is no endless loop', async () => {
    const home = makeHome();
    const { code, json } = await home.call('dieOnce');
    expect({ code, json }).toMatchObject({ code: 1, json: { code: 'no-daemon' } });
    expect(json.message).toBe('the connection to the daemon was lost 6 times without an answer');
  });

  it('SIGTERM: long waits go on with the next daemon', async () => {
    const home = makeHome();
    const pid = await home.start();
    const mark = home.file('mark');
    const waiting = home.call('hang', { text: mark });
    await home.until('the wait', () => existsSync(mark));
    process.kill(pid, 'SIGTERM');
    await home.until('its end', () => !isAlive(pid));
    await home.until('the next', () => home.daemons.length === 1);
    await home.until('the wait again', () => readFileSync(mark, 'utf8') === 'hangs');
    const [next = 0] = home.daemons;
    expect(next).not.toBe(pid);
    await home.remove();
    await waiting;
  });

  it('SIGSTOP: the error names its pid and what to do, after a bounded time', async () => {
    const home = makeHome();
    const pid = await home.start();
    process.kill(pid, 'SIGSTOP');
    const { code, json } = await home.call('echo');
    expect({ code, json }).toMatchObject({ code: 1, json: { code: 'no-daemon' } });
    expect(json.message).toMatch(new RegExp(`\\(pid ${pid}\\) has not answered for \\d+ s`));
    expect(json.hint).toContain(`kill -CONT ${pid}`);
  });

  it('an uncaught error does not end it, and is logged without its message', async () => {
    const home = makeHome();
    const pid = await home.start();
    await home.call('crash', { kind: 'two', text: 'my-password' });
    await home.until('the log', () => /uncaught: TypeError\n {4}at /.test(home.log));
    expect(home.log).not.toContain('my-password');
    expect((await home.call('echo')).json.pid).toBe(pid);
  });

  it('a daemon that cannot start: the reason is reported', async () => {
    const home = makeHome();
    mkdirSync(home.file('daemon.lock'));
    const { code, json } = await home.call('echo');
    expect({ code, json }).toMatchObject({ code: 1, json: { code: 'no-daemon' } });
    expect(json.message).toMatch(/^the daemon does not start: .*EISDIR/);
  });

  it('its log starts anew beyond 1 MB and keeps a single old log', async () => {
    const home = makeHome();
    writeFileSync(home.file('daemon.log'), 'x'.repeat(1_100_000), { mode: 0o600 });
    await home.start();
    expect(statSync(home.file('daemon.log')).size).toBeLessThan(10_000);
    expect(statSync(home.file('daemon.log.old'))).toMatchObject({ size: 1_100_000 });
    expect(statSync(home.file('daemon.log.old')).mode & 0o777).toBe(0o600);
  });
});
