import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../../../model/failure.js';
import { note } from '../../output/print.js';
import { fail } from '../../shared/fail.js';
import { onInterrupt } from '../../shared/on-interrupt.js';

const members = ['build1', 'build2', 'laptop'] as const;
const readyMsMax = 10_000;

/** `unstuck fleet demo`: a NATS server and three members with separate homes on this machine. */
export async function runDemo(): Promise<void> {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-fleet-'));
  let server: ChildProcess | null = null;
  const stop = new AbortController();
  const release = onInterrupt((code) => {
    process.exitCode = code;
    stop.abort();
  });
  try {
    const port = await freePort();
    server = await startServer(port, home, stop.signal);
    show(home, port, stop.signal);
  } catch (error) {
    if (!stop.signal.aborted) fail(error, false);
  } finally {
    release();
    for (const name of members) {
      unstuck(home, name, ['kill', '--all', '--grace', '1s'], 0);
      unstuck(home, name, ['daemon', 'stop'], 0);
    }
    server?.kill('SIGTERM');
    fs.rmSync(home, { recursive: true, force: true });
  }
}

/** Each step as a user types it. */
function show(home: string, port: number, signal: AbortSignal): void {
  const url = `nats://127.0.0.1:${port}`;
  const accepts: Record<(typeof members)[number], string[]> = {
    build1: ['--accept', 'start,kill', '--slots', '1'],
    build2: ['--accept', 'start,kill', '--slots', '1', '--label', 'gpu'],
    laptop: [],
  };
  const deadlock = 'import threading; a = threading.Lock(); a.acquire(); a.acquire()';
  const steps: [(typeof members)[number], string[]][] = [
    ...members.map((name): [typeof name, string[]] => [
      name,
      ['join', url, '--name', name, ...accepts[name]],
    ]),
    ['laptop', ['fleet', 'hosts']],
    ['build1', ['start', '--label', 'api', '--', 'sleep', '300']],
    ['laptop', ['start', '--host', 'build2', '--label', 'stuck', '--', 'python3', '-c', deadlock]],
    ['laptop', ['queue', 'add', '--needs', 'gpu', '--', 'sh', '-c', 'echo trained on a GPU host; exit 3']],
    ['laptop', ['ps', '--fleet']],
    ['laptop', ['why', 'build2/stuck']],
    ['laptop', ['queue', 'ls']],
    ['laptop', ['kill', 'build2/stuck']],
  ];
  for (const [name, argv] of steps) {
    if (signal.aborted) return;
    note(`\n${name}$ unstuck ${argv.map(shown).join(' ')}`);
    unstuck(home, name, argv, 'inherit');
  }
}

const shown = (word: string) => (/^[\w./:=,-]+$/.test(word) ? word : `'${word}'`);

function unstuck(home: string, name: string, argv: readonly string[], output: 'inherit' | 0): void {
  const cli = process.argv[1] ?? '';
  const env = { ...process.env, UNSTUCK_HOME: path.join(home, name) };
  const stdio = output === 0 ? ('ignore' as const) : ('inherit' as const);
  spawnSync(process.execPath, [cli, ...argv], { env, stdio: ['ignore', stdio, stdio] });
}

async function startServer(port: number, home: string, signal: AbortSignal): Promise<ChildProcess> {
  const argv = ['-js', '-sd', path.join(home, 'nats'), '-a', '127.0.0.1', '-p', String(port)];
  const server = spawn('nats-server', argv, { stdio: 'ignore' });
  const failed = new Promise<never>((_, reject) => {
    server.once('error', () => reject(noServer()));
    server.once('exit', () => reject(noServer()));
  });
  const endMs = performance.now() + readyMsMax;
  await Promise.race([failed, untilOpen(port, endMs, signal)]);
  failed.catch(() => {});
  return server;
}

async function untilOpen(port: number, endMs: number, signal: AbortSignal): Promise<void> {
  while (performance.now() < endMs) {
    if (await isOpen(port)) return;
    await delay(50, undefined, { signal });
  }
  throw noServer();
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const noServer = () =>
  new Failure('no-fleet', 'nats-server does not start here', 'install it: apt-get install nats-server');
