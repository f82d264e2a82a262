import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
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
  let isInterrupted = false;
  const stop = new AbortController();
  const release = onInterrupt((code) => {
    process.exitCode = code;
    isInterrupted = true;
    stop.abort();
  });
  try {
    const port = await freePort();
    server = await startServer(port, home, stop.signal);
    server.once('exit', () => stop.abort());
    await show(home, port, stop.signal);
    if (hasEnded(server)) throw serverEnded();
  } catch (error) {
    if (!isInterrupted) fail(error, false);
  } finally {
    // A second interrupt must not leave half of it.
    await Promise.all(members.map((name) => endMember(home, name)));
    await endServer(server);
    fs.rmSync(home, { recursive: true, force: true });
    release();
  }
}

async function endMember(home: string, name: string): Promise<void> {
  if (!fs.existsSync(path.join(home, name))) return;
  await unstuck(home, name, ['kill', '--all', '--grace', '1s'], null);
  await unstuck(home, name, ['daemon', 'stop'], null);
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

async function endServer(server: ChildProcess | null): Promise<void> {
  if (server === null || hasEnded(server)) return;
  const ended = once(server, 'exit');
  server.kill('SIGKILL');
  await ended;
}

/** Each step as a user types it. */
async function show(home: string, port: number, signal: AbortSignal): Promise<void> {
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
    await unstuck(home, name, argv, signal);
  }
}

const shown = (word: string) => (/^[\w./:=,-]+$/.test(word) ? word : `'${word}'`);

/** Shown, and ended by the signal. null: neither, nor by Ctrl-C on the terminal. */
async function unstuck(
  home: string,
  name: string,
  argv: readonly string[],
  signal: AbortSignal | null,
): Promise<void> {
  const env = { ...process.env, UNSTUCK_HOME: path.join(home, name) };
  const output = signal === null ? ('ignore' as const) : ('inherit' as const);
  const child = spawn(process.execPath, [process.argv[1] ?? '', ...argv], {
    env,
    stdio: ['ignore', output, output],
    detached: signal === null,
  });
  const stop = () => child.kill('SIGTERM');
  signal?.addEventListener('abort', stop, { once: true });
  await once(child, 'exit');
  signal?.removeEventListener('abort', stop);
}

async function startServer(port: number, home: string, signal: AbortSignal): Promise<ChildProcess> {
  const argv = ['-js', '-sd', path.join(home, 'nats'), '-a', '127.0.0.1', '-p', String(port)];
  // Ctrl-C on the terminal must not end it before the members.
  const server = spawn('nats-server', argv, { stdio: 'ignore', detached: true });
  const failed = new Promise<never>((_, reject) => {
    server.once('error', () => reject(noServer()));
    server.once('exit', () => reject(noServer()));
  });
  failed.catch(() => {});
  const endMs = performance.now() + readyMsMax;
  try {
    await Promise.race([failed, untilOpen(port, endMs, signal)]);
    return server;
  } catch (error) {
    server.kill('SIGKILL');
    throw error;
  }
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

const serverEnded = () =>
  new Failure('no-fleet', 'the nats-server of the demo has ended', 'try again: unstuck fleet demo');
