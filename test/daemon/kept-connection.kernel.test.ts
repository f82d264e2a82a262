import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import http from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { daemonSettings } from '../../src/config/daemon-settings.js';
import { createApp } from '../../src/daemon/app.js';
import { DaemonLog } from '../../src/daemon/log.js';
import { createServer } from '../../src/daemon/server.js';
import { Visits } from '../../src/daemon/visits.js';
import { removeDirectory } from '../support/remove-directory.js';
import { parts } from './programs/fake-parts.js';

/** Longer than this process ever waits for a CPU: a connection that is late would be closed. */
const limits = { headersMs: 60_000, requestMs: 60_000, unreadMs: 60_000, checkEveryMs: 100 };
const hello = { version: '1.0.0', protocol: 1, pid: 1, startedAt: '', runs: 0, trouble: null, home: '' };
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

let home: string;
let server: http.Server;
const connections: Socket[] = [];

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'unstuck-kept-'));
  const visits = new Visits();
  const registry = () => parts.openRegistry(home, daemonSettings({}));
  const log = new DaemonLog(home);
  const { operations } = parts;
  const app = createApp({ operations, registry, hello: () => hello, leave: () => {}, visits, log });
  server = createServer(app, visits, limits);
  server.on('connection', (socket: Socket) => connections.push(socket));
  server.listen(join(home, 'daemon.sock'));
  await once(server, 'listening');
});

afterAll(async () => {
  agent.destroy();
  server.closeAllConnections();
  server.close();
  await removeDirectory(home);
});

async function call(name: string): Promise<string> {
  const request = http.request({
    socketPath: join(home, 'daemon.sock'),
    agent,
    method: 'POST',
    path: `/v1/${name}`,
  });
  request.end('{}');
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  return text(response);
}

it('a connection that is kept gathers nothing', async () => {
  await call('echo');
  const [socket] = connections;
  const before = socket?.listenerCount('timeout');
  for (let round = 0; round < 20; round += 1) await call('echo');
  expect(connections).toHaveLength(1);
  expect(socket?.listenerCount('timeout')).toBe(before);
});

it('answers of a wrong shape are logged, and not again with each of many', async () => {
  for (let round = 0; round < 5; round += 1) await call('wrong');
  const told = readFileSync(join(home, 'daemon.log'), 'utf8').match(/does not fit its schema/g);
  expect(told).toHaveLength(1);
});
