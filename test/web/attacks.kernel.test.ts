import fs from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BackgroundHome } from '../support/background-home.js';
import { asNobody, request, WebProcess } from './browser.js';

let home: BackgroundHome;
let web: WebProcess;
let cookie: string;

beforeAll(async () => {
  home = new BackgroundHome();
  web = await WebProcess.start(home.env);
  const { pathname, search } = new URL(web.url);
  const login = await request(web.port, pathname + search);
  expect(login.status).toBe(200);
  cookie = String(login.headers['set-cookie']);
});

afterAll(async () => {
  await web.end();
  await home.end();
});

const session = () => cookie.split(';')[0] as string;
const json = { 'content-type': 'application/json' };
const call = (name: string, headers: object, body: unknown = {}, port = web.port) =>
  request(port, `/api/${name}`, { method: 'POST', headers: { ...json, ...headers }, body });

describe('the dashboard', () => {
  it('answers nothing but the login without a session', async () => {
    for (const path of ['/', '/style.css', '/api/events', '/api/output?id=x', '/nothing']) {
      expect((await request(web.port, path)).status, path).toBe(401);
    }
    const origin = web.origin;
    for (const name of ['list', 'kill', 'why']) expect((await call(name, { origin })).status, name).toBe(401);
    expect((await request(web.port, '/login?token=wrong')).status).toBe(401);
    expect((await request(web.port, '/login')).status).toBe(401);
  });

  it('gives a cookie that scripts and other sites cannot use, for a link that works once', async () => {
    expect(cookie).toMatch(/^unstuck-\d+=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/);
    const { pathname, search } = new URL(web.url);
    expect((await request(web.port, pathname + search)).status).toBe(401);
    const page = await request(web.port, '/', { headers: { cookie: session() } });
    expect(page.status).toBe(200);
    expect(page.headers['content-security-policy']).toMatch(
      /default-src 'none'; script-src 'self'; style-src 'self';/,
    );
    expect(page.text).not.toMatch(/https?:|<script>|<style>/);
  });

  it('refuses the cookie of a dashboard that has ended', async () => {
    const other = await WebProcess.start(home.env);
    const { pathname, search } = new URL(other.url);
    const login = await request(other.port, pathname + search);
    const old = String(login.headers['set-cookie']).split(';')[0]?.split('=')[1];
    expect(await other.end()).toBe(0);
    const headers = { cookie: `unstuck-${web.port}=${old}` };
    expect((await request(web.port, '/', { headers })).status).toBe(401);
  });

  it('refuses foreign hosts and origins, also with the cookie', async () => {
    const headers = { cookie: session() };
    for (const host of [
      'evil.example',
      `evil.example:${web.port}`,
      '127.0.0.1',
      `127.0.0.1.evil:${web.port}`,
    ]) {
      expect((await request(web.port, '/', { headers: { ...headers, host } })).status, host).toBe(403);
    }
    for (const origin of [
      'http://evil.example',
      'null',
      `https://127.0.0.1:${web.port}`,
      'http://127.0.0.1:1',
    ]) {
      expect((await call('list', { ...headers, origin })).status, origin).toBe(403);
    }
    expect((await call('list', headers)).status, 'no origin').toBe(403);
    const crossSite = { ...headers, 'sec-fetch-site': 'cross-site' };
    expect((await request(web.port, '/api/events', { headers: crossSite })).status).toBe(403);
    const form = { ...headers, origin: web.origin, 'content-type': 'text/plain' };
    expect((await request(web.port, '/api/list', { method: 'POST', headers: form, body: {} })).status).toBe(
      415,
    );
    expect((await call('list', { ...headers, origin: web.origin })).status).toBe(200);
  });

  it('does not start commands, and answers bad input with a hint', async () => {
    const headers = { cookie: session(), origin: web.origin };
    for (const name of ['start', 'killAll', 'toString', '__proto__']) {
      expect((await call(name, headers, { command: ['true'] })).status, name).toBe(501);
    }
    expect((await call('why', headers, { pid: 'x' })).status).toBe(400);
    for (const id of ['a\0b', 'a'.repeat(300_000)])
      expect((await call('why', headers, { id })).status).toBe(400);
    expect((await call('file', headers, { id: 'x', name: '../../run.json' })).status).toBe(404);
    expect((await call('list', headers, [1])).status).toBe(400);
    const answer = await call('kill', headers, { id: 'nothing' });
    expect(JSON.parse(answer.text)).toMatchObject({ error: { code: 'no-such-run' } });
  });

  it('refuses every action with --read-only, on the server', async () => {
    const only = await WebProcess.start(home.env, '--read-only');
    try {
      const { pathname, search } = new URL(only.url);
      const login = await request(only.port, pathname + search);
      const headers = { cookie: String(login.headers['set-cookie']).split(';')[0], origin: only.origin };
      const { id } = await home.start(['sleep', '1000']);
      const acts = [
        'kill',
        'killPart',
        'restart',
        'rerun',
        'pause',
        'resume',
        'signal',
        'remove',
        'write',
        'submit',
      ];
      for (const name of [...acts, 'close', 'resize', 'killOrphans']) {
        expect((await call(name, headers, { id }, only.port)).status, name).toBe(403);
      }
      expect((await call('kill', headers, { id, dryRun: true }, only.port)).status).toBe(403);
      expect((await call('notices', headers, { consumer: 'web', ack: 1 }, only.port)).status).toBe(403);
      expect((await call('list', headers, {}, only.port)).status).toBe(200);
      expect((await home.call('list', { status: 'running' })).runs).toHaveLength(1);
    } finally {
      await only.end();
    }
  });

  it.skipIf(process.getuid?.() !== 0)(
    'refuses another user of the machine, also with the link or the cookie (needs root, to be another user)',
    async () => {
      const { id } = await home.start(['sleep', '1000']);
      const other = await WebProcess.start(home.env);
      try {
        const { port, url } = other;
        const [login, mine] = [new URL(url), { cookie: session() }];
        const asked = { ...json, ...mine, origin: web.origin };
        const seen = asNobody({
          requests: [
            { port, path: login.pathname + login.search },
            { port: web.port, path: '/', headers: mine },
            { port: web.port, path: '/api/events', headers: mine },
            { port: web.port, path: '/api/kill', method: 'POST', headers: asked, body: { id } },
          ],
          /** Sent, and closed at once: such an end looks like one of root. */
          thrown: `POST /api/kill HTTP/1.1\r\nhost: 127.0.0.1:${web.port}\r\norigin: ${web.origin}\r\ncookie: ${session()}\r\ncontent-type: application/json\r\ncontent-length: ${JSON.stringify({ id }).length}\r\n\r\n${JSON.stringify({ id })}`,
          thrownTo: web.port,
          files: [
            home.path,
            `/proc/${other.pid}/environ`,
            `/proc/${other.pid}/fd`,
            `/proc/${other.pid}/cmdline`,
          ],
        });
        expect(seen.statuses).toEqual([403, 403, 403, 403]);
        expect(seen.files.slice(0, 3)).toEqual(['EACCES', 'EACCES', 'EACCES']);
        expect(seen.files[3]).not.toContain(login.searchParams.get('token'));
        // The link was not used up, and the run lives.
        expect((await request(port, login.pathname + login.search)).status).toBe(200);
        const { runs } = await home.call('list', { status: 'running' });
        expect(runs.map((run) => run.id)).toContain(id);
      } finally {
        await other.end();
      }
    },
  );

  it('listens on loopback only', () => {
    const port = web.port.toString(16).toUpperCase().padStart(4, '0');
    const rows = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) =>
      fs.readFileSync(file, 'utf8').split('\n'),
    );
    const own = rows
      .map((row) => row.trim().split(/\s+/))
      .filter((fields) => fields[3] === '0A' && fields[1]?.endsWith(`:${port}`));
    expect(own.map(([, local]) => local)).toEqual([`0100007F:${port}`]);
  });
});
