import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { daemonSettings } from '../../src/config/daemon-settings.js';
import { type DaemonAnswer, exchange, LostConnection } from '../../src/control/client/exchange.js';
import { createApp } from '../../src/daemon/app.js';
import { DaemonLog } from '../../src/daemon/log.js';
import { createServer } from '../../src/daemon/server.js';
import { Visits } from '../../src/daemon/visits.js';
import { patienceMs } from '../support/patience.js';
import { removeDirectory } from '../support/remove-directory.js';
import { HttpHome } from './http-home.js';
import { parts } from './programs/fake-parts.js';

const limits = { unreadMs: 500, checkEveryMs: 100, idleMax: 100 };
/** Of a server that is asked by clients that are slow. */
const hasty = { headersMs: 8000, requestMs: 9000, checkEveryMs: 100, idleMax: 100 };
const hello = { version: '1.0.0', protocol: 1, pid: 1, startedAt: '', runs: 0, trouble: null, home: '' };

let home: string;
let server: Server;
const visits = new Visits();

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'unstuck-http-'));
  const { operations } = parts;
  const registry = () => parts.openRegistry(home, daemonSettings({}));
  const log = new DaemonLog(home);
  const app = createApp({ operations, registry, hello: () => hello, leave: () => {}, visits, log });
  server = createServer(app, visits, limits);
  server.listen(join(home, 'daemon.sock'));
  await once(server, 'listening');
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await removeDirectory(home);
});

const post = (path: string, body: string, signal?: AbortSignal): Promise<DaemonAnswer> =>
  exchange(home, { method: 'POST', path: `/v1/${path}`, body, signal, requestId: 'request-1' });
const call = (path: string, input: unknown = {}) => post(path, JSON.stringify(input));
const readLog = () => readFileSync(join(home, 'daemon.log'), 'utf8');

/** Says something on a connection of its own, and what comes back until it is closed. */
async function say(words: string, at = home): Promise<{ answer: string; ms: number }> {
  const startMs = performance.now();
  const socket = connect(join(at, 'daemon.sock'));
  socket.write(words);
  const answer = await text(socket);
  return { answer, ms: performance.now() - startMs };
}

describe('every operation is POST /v1/NAME', () => {
  it('an answer, with the id of the request', async () => {
    expect(await call('echo', { text: 'abc' })).toMatchObject({
      status: 200,
      body: { bytes: 3, requestId: 'request-1' },
    });
    const own = await exchange(home, { method: 'POST', path: '/v1/echo', body: '' });
    expect(own.body).toMatchObject({ requestId: expect.stringMatching(/^[\w-]{36}$/) });
  });

  it('a failure keeps its code, message and hint', async () => {
    const error = { code: 'no-such-run', message: 'no such run: abcd', hint: 'see unstuck list' };
    expect(await call('fail')).toMatchObject({ status: 404, body: { error } });
  });

  it('hello, and the table with its schemas', async () => {
    const get = (path: string) => exchange(home, { method: 'GET', path });
    expect(await get('/v1/hello')).toMatchObject({ status: 200, body: hello });
    const { body } = (await get('/v1/operations')) as { body: { operations: Record<string, unknown>[] } };
    expect(body.operations.map(({ name }) => name)).toEqual(Object.keys(parts.operations));
    expect(body.operations[0]?.input).toMatchObject({ properties: { kind: { enum: ['one', 'two'] } } });
    expect((await get('/v2')).status).toBe(404);
  });

  it.each([
    [{ text: 5 }, 'echo: text must be a text, not the number 5'],
    [{ count: 'secret' }, 'echo: count must be a number, not a text of 6 characters'],
    [{ count: 1.5 }, 'echo: count must be a whole number, not the number 1.5'],
    [{ count: -1 }, 'echo: count must be at least 0, not the number -1'],
    [{ count: 11 }, 'echo: count must be at most 10, not the number 11'],
    [{ either: true }, 'echo: either must be a text or a list, not true'],
    [{ kind: 'three' }, 'echo: kind must be one of one, two, not a text of 5 characters'],
    [{ txet: '' }, 'echo: unknown field txet'],
    [[], 'echo: the input must be an object, not an empty list'],
    [null, 'echo: the input must be an object, not null'],
  ])('%j is refused', async (input, message) => {
    const { status, body } = await call('echo', input);
    expect({ status, body }).toMatchObject({ status: 400, body: { error: { code: 'bad-input', message } } });
  });

  it('what was meant is guessed', async () => {
    expect((await call('echo', { txet: '' })).body).toMatchObject({ error: { hint: 'did you mean text?' } });
    expect(await call('ecoh')).toMatchObject({
      status: 501,
      body: { error: { code: 'unsupported', hint: 'did you mean echo?' } },
    });
    expect((await call('toString')).status).toBe(501);
  });

  it('no JSON, no UTF-8', async () => {
    expect(await post('echo', '{"text":')).toMatchObject({
      status: 400,
      body: { error: { code: 'bad-input' } },
    });
    const { answer } = await say('POST /v1/echo HTTP/1.0\r\nContent-Length: 3\r\n\r\n"\xff"');
    expect(answer).toContain('400');
    const latin = connect(join(home, 'daemon.sock'));
    latin.write(Buffer.from('POST /v1/echo HTTP/1.0\r\nContent-Length: 3\r\n\r\n"\xff"', 'latin1'));
    expect(await text(latin)).toContain('not valid UTF-8');
  });
});

describe('no client holds up the daemon', () => {
  it('10 MB are accepted; 17 MB are refused with a message, and the connection ends', async () => {
    const bytes = 10_000_000;
    expect(await call('echo', { text: 'x'.repeat(bytes) })).toMatchObject({ status: 200, body: { bytes } });
    const refused = await call('echo', { text: 'x'.repeat(17 * 1024 * 1024) });
    expect(refused).toMatchObject({ status: 413, body: { error: { code: 'too-large' } } });
    const chunk = `100000\r\n${'x'.repeat(0x100000)}\r\n`;
    const chunked = `POST /v1/echo HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n`;
    expect((await say(`${chunked}${chunk.repeat(17)}0\r\n\r\n`)).answer).toMatch(/^HTTP\/1.1 413 /);
  });

  it('silence and half a request end after a while; others are served meanwhile', async () => {
    const halves = ['', 'POST /v1/ec', 'POST /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n{"te'];
    const slow = new HttpHome(hasty);
    onTestFinished(() => slow.end());
    await slow.listen();
    const waiting = Promise.all(
      Array.from({ length: 60 }, (_, i) => say(halves[i % 3] as string, slow.path)),
    );
    const ask = () => exchange(slow.path, { method: 'POST', path: '/v1/echo', body: '{"text":"a"}' });
    const answers = await Promise.all(Array.from({ length: 50 }, ask));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    for (const { answer, ms } of await waiting) {
      expect(answer).toMatch(/^(HTTP\/1.1 408 |$)/);
      expect(ms).toBeGreaterThan(hasty.headersMs - 50);
    }
  });

  it('an answer that is not read is dropped', async () => {
    const socket = connect(join(home, 'daemon.sock'));
    socket.pause();
    socket.write('POST /v1/large HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n');
    await expect.poll(() => visits.quietMs, { timeout: patienceMs, interval: 5 }).toBe(0);
    await expect.poll(() => visits.quietMs, { timeout: patienceMs }).toBeGreaterThan(0);
    socket.destroy();
  });

  it('a client that goes away ends its request, and nothing is logged', async () => {
    const mark = join(home, 'mark');
    const leave = new AbortController();
    const hanging = post('hang', JSON.stringify({ text: mark }), leave.signal);
    await expect.poll(() => existsSync(mark)).toBe(true);
    leave.abort(new Error('enough'));
    await expect(hanging).rejects.toThrow('enough');
    await expect.poll(() => readFileSync(mark, 'utf8')).toBe('aborted');
    expect(existsSync(join(home, 'daemon.log')) && readLog().includes('hang')).toBe(false);
  });

  it('an exception is a 500 and a line in the log, without what was asked', async () => {
    const { status, body } = await call('crash', { text: 'my-password' });
    expect({ status, body }).toMatchObject({ status: 500, body: { error: { code: 'internal' } } });
    expect(readLog()).toMatch(/\/v1\/crash: TypeError\n {4}at /);
    expect(readLog()).not.toContain('my-password');
    expect((await call('echo')).status).toBe(200);
  });

  it('an answer of another shape is sent as it is, and logged without its values', async () => {
    expect(await call('wrong')).toMatchObject({ status: 200, body: { number: 'secret' } });
    expect(readLog()).toMatch('wrong: the answer does not fit its schema: number (invalid_type)');
    expect(readLog()).not.toContain('secret');
  });

  it('a request without a listener is a lost connection', async () => {
    const nobody = exchange(join(home, 'nobody'), { method: 'GET', path: '/v1/hello' });
    await expect(nobody).rejects.toThrow(LostConnection);
  });
});
