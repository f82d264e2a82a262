import { createHmac } from 'node:crypto';
import fs from 'node:fs';
import http, { type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebhookTarget } from '../../src/notices/webhook-target.js';
import { parseWebhookUrl } from '../../src/notices/webhook-url.js';
import { until } from '../support/background-home.js';
import { DeliverHome, notice } from './deliver-home.js';

interface Got {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

let home: DeliverHome;
const servers: http.Server[] = [];

beforeEach(() => {
  home = new DeliverHome();
});

afterEach(async () => {
  await home.end();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** A server that answers the nth request with the nth of these, then always with the last. */
async function serve(
  ...answers: ((response: ServerResponse) => void)[]
): Promise<{ url: string; got: Got[] }> {
  const got: Got[] = [];
  const server = http.createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { method, url, headers } = request;
    got.push({ method, url, headers, body });
    answers[Math.min(got.length, answers.length) - 1]?.(response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, got };
}

const status =
  (code: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse) => {
    response.writeHead(code, headers).end('ok');
  };
const hang = () => {};
/** More than the kernel takes for a connection that is not read. */
const floodBytesMax = 16 * 1024 * 1024;
const hook = (url: string, secretFile: string | null = null) => ({ webhook: { url, secretFile } });
const seqs = (got: Got[]) => got.map(({ body }) => JSON.parse(body).seq);

function secret(content: string, mode = 0o600): string {
  const file = path.join(home.path, 'secret');
  fs.writeFileSync(file, content);
  fs.chmodSync(file, mode);
  return file;
}

describe('a webhook gets each notice', () => {
  it('by POST, numbered, in order, and notes it', async () => {
    const { url, got } = await serve(status(204));
    const deliveries = home.deliveries(hook(url));
    for (let seq = 1; seq <= 5; seq++) deliveries.push(notice(seq, { tags: ['t'], owner: 'me' }));
    await until(() => deliveries.pending() === 0, 'delivery');
    expect(seqs(got)).toEqual([1, 2, 3, 4, 5]);
    const { key, ...told } = notice(1, { tags: ['t'], owner: 'me' });
    expect(JSON.parse(got[0]?.body ?? '')).toEqual(told);
    expect(got[0]).toMatchObject({ method: 'POST', url: '/hook' });
    expect(got[0]?.headers).toMatchObject({ 'content-type': 'application/json', 'unstuck-seq': '1' });
    expect(Number(got[0]?.headers['unstuck-timestamp'])).toBeGreaterThan(Date.now() / 1000 - 60);
    expect(got[0]?.headers).not.toHaveProperty('unstuck-signature');
    expect(home.delivered().webhook).toEqual({ seq: 5, givenUp: 0, dropped: 0 });
  });

  it('signed with the secret, without the newline an editor leaves', async () => {
    const { url, got } = await serve(status(200));
    const deliveries = home.deliveries(hook(url, secret('s3cret\n')));
    deliveries.push(notice(1));
    await until(() => deliveries.pending() === 0, 'delivery');
    const { headers, body } = got[0] as Got;
    const signed = createHmac('sha256', 's3cret')
      .update(`${headers['unstuck-timestamp']}.${body}`)
      .digest('hex');
    expect(headers['unstuck-signature']).toBe(`sha256=${signed}`);
  });

  it.each([
    ['others may read it', 's3cret', 0o644, /others may read the secret/],
    ['it is empty', '\n', 0o600, /is empty/],
    ['it is too long', 'x'.repeat(5000), 0o600, /longer than 4096/],
  ])(
    'nothing is sent unsigned: %s; reported at once, and sent when the secret is right',
    async (_, content, mode, warning) => {
      const { url, got } = await serve(status(200));
      const file = secret(content, mode);
      const sleep = async (ms: number) => {
        await home.clock.sleep(ms);
        if (home.clock.sleeps.length === 3) {
          expect(home.warnings()).toEqual([expect.stringMatching(warning)]);
          secret('right');
        }
      };
      const deliveries = home.deliveries(hook(url, file), { clock: { ...home.clock, sleep } });
      deliveries.push(notice(1));
      await until(() => deliveries.pending() === 0, 'delivery');
      expect(got.length).toBe(1);
      expect(home.warnings().length).toBe(1);
      expect(JSON.stringify(home.warnings())).not.toContain('s3cret');
    },
  );

  it('answers 500, 429, 408, then 200: tried again, later each time', async () => {
    const { url, got } = await serve(status(500), status(429), status(408), status(503), status(200));
    const deliveries = home.deliveries(hook(url));
    deliveries.push(notice(1));
    await until(() => deliveries.pending() === 0, 'delivery');
    expect(seqs(got)).toEqual([1, 1, 1, 1, 1]);
    expect(home.clock.sleeps).toEqual([1000, 2000, 4000, 8000]);
    expect(home.warnings()).toEqual([]);
  });

  it('answers 500 for ever: given up after an hour, reported once, without its path', async () => {
    const { url, got } = await serve(status(500));
    const deliveries = home.deliveries(hook(url.replace('//', '//user:pass@')));
    deliveries.push(notice(1));
    deliveries.push(notice(2));
    await until(() => deliveries.pending() === 0, 'the end of it');
    const total = home.clock.sleeps.reduce((sum, ms) => sum + ms, 0);
    expect(total).toBeGreaterThan(3_500_000);
    expect(total).toBeLessThanOrEqual(3_600_000);
    expect(Math.max(...home.clock.sleeps)).toBe(60_000);
    // The second has waited as long by then.
    expect(seqs(got).filter((seq) => seq === 2).length).toBeLessThan(10);
    const host = new URL(url).host;
    expect(home.warnings()).toEqual([`notices to the webhook http://${host}/…: it answered with status 500`]);
    expect(got[0]?.headers.authorization).toBe(`Basic ${btoa('user:pass')}`);
  });

  it('answers 404: given up at once, and the next is tried', async () => {
    const { url, got } = await serve(status(404), status(200));
    const deliveries = home.deliveries(hook(url));
    for (const seq of [1, 2]) deliveries.push(notice(seq));
    await until(() => deliveries.pending() === 0, 'delivery');
    expect(seqs(got)).toEqual([1, 2]);
    expect(home.clock.sleeps).toEqual([]);
    expect(home.warnings()).toEqual([expect.stringContaining('status 404')]);
  });

  it('redirects: not followed, a failure', async () => {
    const other = await serve(status(200));
    const { url, got } = await serve(
      status(302, { location: other.url }),
      status(307, { location: other.url }),
      status(200),
    );
    const deliveries = home.deliveries(hook(url));
    deliveries.push(notice(1));
    await until(() => deliveries.pending() === 0, 'delivery');
    expect(got.length).toBe(3);
    expect(other.got).toEqual([]);
  });

  it('hangs, closes the connection, or answers nonsense: tried again', async () => {
    const { url, got } = await serve(
      hang,
      (response) => response.destroy(),
      (response) => response.socket?.end('nonsense\r\n\r\n'),
      (response) => response.socket?.end(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`),
      status(200),
    );
    const deliveries = home.deliveries(hook(url), { webhookMs: 200 });
    deliveries.push(notice(1));
    await until(() => deliveries.pending() === 0, 'delivery');
    expect(got.length).toBe(5);
    expect(home.clock.sleeps.length).toBe(4);
  });

  it('no listener: tried again, and reported once', async () => {
    const { url } = await serve(status(200));
    const [server] = servers.splice(0);
    await new Promise((resolve) => server?.close(resolve));
    const deliveries = home.deliveries(hook(url));
    deliveries.push(notice(1));
    await until(() => deliveries.pending() === 0, 'the end of it');
    expect(home.clock.sleeps.length).toBeGreaterThan(30);
    expect(home.warnings()).toEqual([expect.stringContaining('ECONNREFUSED')]);
  });

  it.each([
    [
      'drips',
      (response: ServerResponse) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write('.'), 10);
        response.once('close', () => clearInterval(timer));
      },
    ],
    [
      'never ends',
      (response: ServerResponse) => {
        response.writeHead(200).flushHeaders();
      },
    ],
    [
      'floods',
      (response: ServerResponse) => {
        response.writeHead(200);
        const { socket } = response;
        // Without a limit it could write a hundred times that in the same time.
        response.once('close', () => expect.soft(socket?.bytesWritten).toBeLessThan(floodBytesMax));
        const flood = () => {
          while (!response.destroyed && response.write('x'.repeat(65_536)));
          response.once('drain', flood);
        };
        flood();
      },
    ],
  ])('an answer that %s is an answer, and its body is not waited for', async (_, answer) => {
    const { url, got } = await serve(answer);
    const deliveries = home.deliveries(hook(url));
    const startMs = performance.now();
    deliveries.push(notice(1));
    await until(() => deliveries.pending() === 0, 'delivery');
    expect(performance.now() - startMs).toBeLessThan(5000);
    expect(got.length).toBe(1);
    expect(home.warnings()).toEqual([]);
  });

  it('ends at once when the daemon ends, and is delivered by the next daemon', async () => {
    const { url, got } = await serve(hang, status(200));
    const deliveries = home.deliveries(hook(url));
    deliveries.push(notice(1));
    await until(() => got.length === 1, 'the request');
    await deliveries.close(10);
    const next = home.deliveries(hook(url));
    next.push(notice(1));
    await until(() => next.pending() === 0, 'delivery');
    expect(seqs(got)).toEqual([1, 1]);
    expect(home.warnings()).toEqual([]);
  });

  it('a command and a webhook of the same run do not wait for each other', async () => {
    const { url, got } = await serve(hang);
    const deliveries = home.deliveries({ ...hook(url), command: 'cat >>got' });
    for (const seq of [1, 2]) deliveries.push(notice(seq));
    await until(() => home.lines('got').length === 2, 'the command');
    expect(got.length).toBeLessThanOrEqual(1);
  });

  it('many at once: a single connection at a time', async () => {
    let open = 0;
    let most = 0;
    const { url, got } = await serve((response) => {
      most = Math.max(most, ++open);
      setImmediate(() => {
        open -= 1;
        response.writeHead(200).end();
      });
    });
    const deliveries = home.deliveries(hook(url));
    for (let seq = 1; seq <= 300; seq++) deliveries.push(notice(seq));
    await until(() => deliveries.pending() === 0, 'delivery');
    expect(seqs(got)).toEqual(Array.from({ length: 300 }, (_, at) => at + 1));
    expect(most).toBe(1);
  });
});

describe('where a webhook may be', () => {
  it.each([
    'https://example.com/x',
    'http://127.0.0.1:1/',
    'http://127.9.9.9/',
    'http://[::1]:8/',
    'http://localhost/',
  ])('%s', (url) => {
    expect(parseWebhookUrl(url).href).toBe(url);
  });

  it.each([
    'http://example.com/s3cret',
    'http://10.0.0.1/s3cret',
    'http://0.0.0.0/s3cret',
    'http://localhost.example.com/s3cret',
    'http://127.0.0.1.example.com/s3cret',
    'http://user:s3cret@example.com/',
    'https://%zz:s3cret@example.com/',
    'file:///s3cret',
    'ftp://127.0.0.1/s3cret',
    's3cret',
  ])('not %s, and the message shows no secret', async (url) => {
    expect(() => parseWebhookUrl(url)).toThrow(/webhook/);
    try {
      parseWebhookUrl(url);
    } catch (error) {
      expect(String(error)).not.toContain('s3cret');
    }
    const attempt = await new WebhookTarget({ url, secretFile: null }, 100).attempt(
      notice(1),
      new AbortController().signal,
    );
    expect(attempt.kind).toBe('refused');
  });

  it('none that is too long', () => {
    expect(() => parseWebhookUrl(`https://example.com/${'x'.repeat(5000)}`)).toThrow(/webhook/);
  });

  it('localhost is asked for as a name, and only this machine may answer', async () => {
    const { url, got } = await serve(status(200));
    const deliveries = home.deliveries(hook(url.replace('127.0.0.1', 'localhost')));
    deliveries.push(notice(1));
    await until(() => deliveries.pending() === 0, 'delivery');
    expect(got.length).toBe(1);
  });
});
