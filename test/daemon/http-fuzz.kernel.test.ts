import { once } from 'node:events';
import { fc } from '@fast-check/vitest';
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest';
import { exchange } from '../../src/control/client/exchange.js';
import { HttpHome } from './http-home.js';

let home: HttpHome;
const faults: unknown[] = [];
const note = (error: unknown) => void faults.push(error);
let printed: MockInstance;

beforeEach(async () => {
  home = new HttpHome();
  await home.listen();
  faults.length = 0;
  process.on('uncaughtExceptionMonitor', note);
  // Where what carries the requests leaves an error that it did not expect.
  printed = vi.spyOn(console, 'error').mockImplementation(note);
});

afterEach(async () => {
  process.off('uncaughtExceptionMonitor', note);
  printed.mockRestore();
  await home.end();
});

const methods = ['GET', 'POST', 'HEAD', 'PUT', 'OPTIONS', 'TRACE', 'CONNECT', 'M-SEARCH', 'FOO', ''];
const targets = [
  '/v1/hello',
  '/v1/echo',
  '/v1/large',
  '/v1/operations',
  '/v1/%zz',
  '/v1/%E0%A4%A',
  '//',
  '*',
  '?',
  'http://',
  'http://[',
  'http://a:b@c:99999/v1/hello',
  'https://x/v1/hello',
  'ftp://x/',
  '/\0',
  '',
];
const headers = [
  'Host: a',
  'Host: ',
  'Host: [::1',
  'Host: a b',
  'Host: \xe4',
  'Host: a@b/c',
  'Expect: 100-continue',
  'Expect: anything',
  'Upgrade: websocket\r\nConnection: Upgrade',
  'Transfer-Encoding: chunked',
  'Content-Length: 2',
  'Content-Length: 20',
  'Content-Length: -1',
  'Content-Type: multipart/form-data',
  'unstuck-request-id: \xff',
  `X: ${'a'.repeat(20_000)}`,
];
const bodies = ['', '{}', '{"text":', 'null', '2\r\n{}\r\n0\r\n\r\n', 'zz\r\n', '\xff\xfe'];

const request = fc
  .record({
    method: fc.constantFrom(...methods),
    target: fc.constantFrom(...targets),
    version: fc.constantFrom('HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', ''),
    headers: fc.array(fc.constantFrom(...headers), { maxLength: 4 }),
    body: fc.constantFrom(...bodies),
  })
  .map(({ method, target, version, headers: lines, body }) =>
    Buffer.from([`${method} ${target} ${version}`, ...lines, '', body].join('\r\n'), 'latin1'),
  );

const conversation = fc.record({
  bytes: fc
    .array(fc.oneof({ weight: 4, arbitrary: request }, fc.uint8Array({ maxLength: 200 })), {
      minLength: 1,
      maxLength: 4,
    })
    .map((pieces) => Buffer.concat(pieces)),
  cut: fc.nat(4000),
  end: fc.constantFrom('half-closes', 'leaves', 'waits'),
});

describe('whatever is sent to the daemon', () => {
  test('is answered or refused, and it goes on', async () => {
    const talks = fc.sample(conversation, { numRuns: 400, seed: 11 });
    for (const { bytes, cut, end } of talks) {
      const socket = await home.connect(bytes.subarray(0, cut));
      socket.resume();
      if (end === 'half-closes') socket.end(bytes.subarray(cut));
      else socket.write(bytes.subarray(cut));
      if (end === 'leaves') socket.destroy();
    }
    const { status } = await exchange(home.path, { method: 'POST', path: '/v1/echo', body: '{}' });
    expect(status).toBe(200);
    expect(faults).toEqual([]);
    expect(home.log).toBe('');
  });

  test('more than is ever taken is refused, and the rest of it ends the connection', async () => {
    const megabytes = 100;
    const head = `POST /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Length: ${megabytes * 2 ** 20}\r\n\r\n`;
    const socket = await home.connect(head);
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    const chunk = Buffer.alloc(2 ** 20, ' ');
    for (let n = 0; n < megabytes && !socket.destroyed; n += 1) {
      if (!socket.write(chunk)) await Promise.race([once(socket, 'drain').catch(() => {}), closed]);
    }
    socket.end();
    await closed;
    expect(answer === '' || answer.startsWith('HTTP/1.1 413 ')).toBe(true);
    expect(faults).toEqual([]);
    expect(home.log).toBe('');
  });

  test.each(['[', '{"text":'])('JSON that is nested without end is refused: %s', async (open) => {
    const close = open === '[' ? ']' : '}';
    for (const body of [`${open.repeat(50_000)}1${close.repeat(50_000)}`, open.repeat(50_000)]) {
      const answer = await exchange(home.path, { method: 'POST', path: '/v1/echo', body });
      expect(answer).toMatchObject({ status: 400, body: { error: { code: 'bad-input' } } });
      expect(JSON.stringify(answer.body)).toContain('nested deeper than 100');
    }
    const text = '[{"\\"'.repeat(1000);
    const answer = await exchange(home.path, {
      method: 'POST',
      path: '/v1/echo',
      body: JSON.stringify({ text }),
    });
    expect(answer).toMatchObject({ status: 200, body: { bytes: text.length } });
  });
});
