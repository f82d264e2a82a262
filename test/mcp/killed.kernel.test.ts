import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BackgroundHome, until } from '../support/background-home.js';
import { readFirstLine } from '../support/read-first-line.js';
import { cliPath } from '../support/run-cli.js';

let home: BackgroundHome;
const clients: ChildProcess[] = [];

beforeAll(() => {
  home = new BackgroundHome();
});

afterAll(async () => {
  for (const client of clients) client.kill('SIGKILL');
  await home.end();
});

/** A client that has its server start a run, prints the pid of the server and the run, and goes on. */
const program = `
  const server = require('node:child_process').spawn(process.execPath, process.argv.slice(1), { stdio: ['pipe', 'pipe', 'ignore'] });
  const say = (message) => server.stdin.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
  const clientInfo = { name: 'mortal', version: '1' };
  say({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } });
  say({ method: 'notifications/initialized' });
  say({ id: 2, method: 'tools/call', params: { name: 'start', arguments: { command: ['sleep', '1000'], waitS: 0 } } });
  require('node:readline').createInterface(server.stdout).on('line', (line) => {
    const { id, result } = JSON.parse(line);
    if (id === 2) console.log(JSON.stringify({ run: result.structuredContent.id, server: server.pid }));
  });
  setInterval(() => {}, 1000);`;

async function startClient(
  ...flags: string[]
): Promise<{ run: string; server: number; end(): Promise<void> }> {
  const args = ['-e', program, cliPath, 'mcp', ...flags];
  const child = spawn(process.execPath, args, { env: home.env, stdio: ['ignore', 'pipe', 'ignore'] });
  clients.push(child);
  const { run, server } = JSON.parse(await readFirstLine(child));
  const end = async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return { run, server, end };
}

async function look(id: string) {
  const { runs } = await home.call('list', {});
  return runs.find((run) => run.id === id);
}

test('server and client are killed: the daemon applies --when-gone once the client is gone', async () => {
  const [kept, given, stopped] = await Promise.all([
    startClient(),
    startClient('--when-gone', 'to=night-shift'),
    startClient('--when-gone', 'stop'),
  ]);
  const all = [kept, given, stopped];
  for (const { server } of all) process.kill(server, 'SIGKILL');
  // The same client may start another server, which finds them: as long as it lives they are its own.
  await until(async () => (await look(stopped.run))?.status === 'running', 'they go on');
  for (const { run } of all) expect((await look(run))?.owner).toMatch(/^mortal\./);

  // The next daemon must know it as well.
  await home.killDaemon();
  await Promise.all(all.map(({ end }) => end()));
  await until(async () => (await look(kept.run))?.owner === null, 'it belongs to nobody');
  await until(async () => (await look(given.run))?.owner === 'night-shift', 'it belongs to its heir');
  const { notices } = await home.call('notices', { timeoutS: 60 });
  expect(notices).toMatchObject([
    {
      runId: stopped.run,
      kind: 'owner-gone',
      text: expect.stringMatching(/^its owner is gone .* stopped in 30 s$/),
    },
  ]);
  for (const { run } of all) expect(await look(run)).toMatchObject({ status: 'running' });
});
