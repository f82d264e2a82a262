import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { createServer, type Server } from 'node:net';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { callDaemon } from '../../../src/control/client/daemon-client.js';
import { greet } from '../../../src/control/client/greet.js';
import { protocol, requestIdHeader } from '../../../src/control/client/protocol.js';
import { lastMessage } from '../../../src/control/client/start-daemon.js';
import { identify } from '../../../src/probe/processes.js';
import { makeHome, useDaemons } from '../../daemon/daemon-home.js';

useDaemons();

const servers: (Server | http.Server)[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    if (server instanceof http.Server) server.closeAllConnections();
    server.close();
  }
});

/** Something else listens where the daemon should. */
function pretend<T extends Server | http.Server>(server: T): ReturnType<typeof makeHome> {
  const home = makeHome();
  servers.push(server);
  server.listen(home.file('daemon.sock'));
  return home;
}

const about = { version: '99.0.0', protocol: 99, pid: 4711, startedAt: '', runs: 0, home: '' };

describe('the client', () => {
  it('an abort ends a call at once, and the daemon hears of it', async () => {
    const home = makeHome();
    const pid = await home.start();
    const mark = home.file('mark');
    const enough = new AbortController();
    const call = callDaemon('hang', { text: mark }, { env: home.env, signal: enough.signal });
    await home.until('the call', () => existsSync(mark));
    enough.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    await home.until('the daemon to hear', () => readFileSync(mark, 'utf8') === 'aborted');
    expect(await callDaemon('echo', {}, { env: home.env })).toMatchObject({ pid });
    const late = callDaemon('echo', {}, { env: home.env, signal: enough.signal });
    await expect(late).rejects.toThrow('enough');
  });

  it('an abort while nothing answers', async () => {
    const home = pretend(createServer(() => {}));
    const call = callDaemon('echo', {}, { env: home.env, signal: AbortSignal.timeout(200) });
    await expect(call).rejects.toThrow(expect.objectContaining({ name: 'TimeoutError' }));
  });

  it('a request has the id that its caller gives', async () => {
    const home = makeHome();
    await home.start();
    const answer = await callDaemon('echo', {}, { env: home.env, requestId: 'mine' });
    expect(answer).toMatchObject({ requestId: 'mine' });
  });

  it('too much is refused before it is sent', async () => {
    const home = makeHome();
    const call = callDaemon('echo', { text: 'x'.repeat(17 * 1024 * 1024) }, { env: home.env });
    await expect(call).rejects.toThrow(expect.objectContaining({ code: 'too-large' }));
    expect(home.daemons).toEqual([]);
  });

  it('a start whose answer is lost for ever may have been made, and the error reports it', async () => {
    const home = pretend(
      http.createServer((request, response) => {
        const hello = { ...about, version: __UNSTUCK_VERSION__, protocol };
        if (request.url === '/v1/hello') response.end(JSON.stringify(hello));
        else request.socket.destroy();
      }),
    );
    await expect(callDaemon('start', {}, { env: home.env })).rejects.toThrow(
      expect.objectContaining({
        code: 'no-daemon',
        message: expect.stringContaining('may have been started'),
        hint: expect.stringContaining('unstuck list'),
      }),
    );
    await expect(callDaemon('list', {}, { env: home.env })).rejects.toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('started') }),
    );
  });

  it('a request that came too late for the daemon is sent again, with the same id', async () => {
    const asked: unknown[] = [];
    const home = pretend(
      http.createServer((request, response) => {
        const hello = { ...about, version: __UNSTUCK_VERSION__, protocol };
        if (request.url === '/v1/hello') return response.end(JSON.stringify(hello));
        response.statusCode = asked.push(request.headers[requestIdHeader]) === 1 ? 408 : 200;
        response.end('{}');
      }),
    );
    expect(await callDaemon('list', {}, { env: home.env })).toEqual({});
    expect(asked).toEqual([asked[0], asked[0]]);
  });

  it('a daemon that is shutting down is asked again, or the next one, whatever it was asked', async () => {
    const asked: unknown[] = [];
    const leaving = '{"error":{"code":"leaving","message":"the daemon is shutting down","hint":"try again"}}';
    const home = pretend(
      http.createServer((request, response) => {
        const isFirst = !asked.includes(request.url);
        asked.push(request.url);
        response.statusCode = isFirst ? 503 : 200;
        const hello = { ...about, version: __UNSTUCK_VERSION__, protocol };
        response.end(isFirst ? leaving : JSON.stringify(request.url === '/v1/hello' ? hello : {}));
      }),
    );
    // The program that listens, which is no daemon, holds the lock: no other one is started.
    const lock = { identity: identify(process.pid), version: '1', startedAt: '' };
    writeFileSync(home.file('daemon.lock'), JSON.stringify(lock));
    expect(await callDaemon('list', {}, { env: home.env })).toEqual({});
    expect(asked.filter((url) => url === '/v1/list')).toHaveLength(2);
  });

  it('a host that is busy has answered', async () => {
    const home = pretend(
      http.createServer((request, response) => {
        const hello = { ...about, version: __UNSTUCK_VERSION__, protocol };
        if (request.url === '/v1/hello') return response.end(JSON.stringify(hello));
        response.statusCode = 503;
        response.end('{"error":{"code":"busy","message":"no room","hint":"later"}}');
      }),
    );
    await expect(callDaemon('list', {}, { env: home.env })).rejects.toThrow('no room');
  });

  it('the time without an answer counts from the first wait for it', async () => {
    const home = pretend(createServer(() => {}));
    const long = greet(home.home, 50, { sinceMs: performance.now() - 9950 });
    await expect(long).rejects.toThrow('the daemon has not answered for 10 s');
  });

  it('a daemon that computes gets more time to answer than one that rests', async () => {
    const home = makeHome();
    const hello = JSON.stringify({ ...about, version: __UNSTUCK_VERSION__, protocol });
    // A socket file is there before its process listens.
    const [socket, early] = [home.file('daemon.sock'), home.file('early.sock')].map((file) =>
      JSON.stringify(file),
    );
    const program = `require('http').createServer((_, answer) => {
      for (const end = Date.now() + 6000; Date.now() < end; );
      answer.end(${JSON.stringify(hello)});
    }).listen(${early}, () => require('fs').renameSync(${early}, ${socket}))`;
    const busy = spawn(process.execPath, ['-e', program], { stdio: 'inherit' });
    onTestFinished(() => void busy.kill('SIGKILL'));
    const lock = { identity: identify(busy.pid ?? -1), version: '1', startedAt: '' };
    writeFileSync(home.file('daemon.lock'), JSON.stringify(lock));
    await home.until('it listens', () => existsSync(home.file('daemon.sock')));
    expect(await greet(home.home, 3000)).toMatchObject({ pid: about.pid });
    process.kill(busy.pid ?? -1, 'SIGSTOP');
    await expect(greet(home.home, 3000)).rejects.toThrow(`the daemon (pid ${busy.pid}) has not answered`);
  });

  it('the last error of a daemon that failed to start is read from the end of its log', () => {
    const home = makeHome();
    const log = ['unstuck: no room', '    at x', 'unstuck: the daemon is already running', ''].join('\n');
    writeFileSync(home.file('daemon.log'), 'x'.repeat(9000) + log);
    expect(lastMessage(home.home)).toBe('');
    writeFileSync(home.file('daemon.log'), `${'x\n'.repeat(9000)}${log}`);
    expect(lastMessage(home.home)).toBe(': no room');
    rmSync(home.file('daemon.log'));
    execFileSync('mkfifo', [home.file('daemon.log')]);
    expect(lastMessage(home.home)).toBe('');
  });

  it('a newer protocol is refused, and its daemon is not asked to end', async () => {
    const asked: string[] = [];
    const home = pretend(
      http.createServer((request, response) => {
        asked.push(`${request.method} ${request.url}`);
        response.end(JSON.stringify(about));
      }),
    );
    await expect(callDaemon('echo', {}, { env: home.env })).rejects.toThrow(
      expect.objectContaining({ code: 'no-daemon', hint: expect.stringContaining('use Unstuck 99.0.0') }),
    );
    expect(asked).toEqual(['GET /v1/hello']);
  });

  it('a program that is no daemon is reported as such', async () => {
    const home = pretend(http.createServer((_, response) => response.end('hello')));
    await expect(callDaemon('echo', {}, { env: home.env })).rejects.toThrow(
      expect.objectContaining({
        code: 'no-daemon',
        message: expect.stringContaining('is not an Unstuck daemon'),
      }),
    );
  });

  it('a fault of the daemon is a failure that names its log', async () => {
    const home = makeHome();
    await home.start();
    await expect(callDaemon('crash', {}, { env: home.env })).rejects.toThrow(
      expect.objectContaining({ hint: expect.stringContaining(home.file('daemon.log')) }),
    );
  });
});
