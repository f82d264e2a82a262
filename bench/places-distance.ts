import { spawn } from 'node:child_process';
import net from 'node:net';
import path from 'node:path';
import type { SshHost } from '../test/support/ssh-host.js';
import { takeTurns, timing } from './measure.js';
import { type Goal, ms, type Table } from './report.js';

const roundTripMs = 200;

/**
 * What distance costs: a relay before sshd holds back every byte for half a round trip. What is slower on this machine
 * anyway is measured without the relay and taken off.
 */
export async function roundTrips(
  root: string,
  host: SshHost,
  count: number,
): Promise<{ tables: Table[]; goals: Goal[] }> {
  const relay = await startRelay(host.port);
  const config = path.join(host.directory, 'ssh_config');
  const env = { ...host.env, UNSTUCK_HOME: path.join(host.directory, 'uh'), UNSTUCK_HEARTBEAT: '0' };
  const far = ['-F', config, '-o', `Port=${relay.port}`, '-o', 'StrictHostKeyChecking=no'];
  const farEnv = { ...env, UNSTUCK_SSH: `ssh ${far.join(' ')} -o UserKnownHostsFile=/dev/null` };
  const cli = [path.join(root, 'dist/cli.cjs'), 'run', '--on', host.name, '--', 'echo', 'x'];
  const plain = [...far, '-o', 'UserKnownHostsFile=/dev/null', 'box', 'echo', 'x'];
  const ends: Record<string, number[]> = { plain: [], on: [], farPlain: [], farOn: [] };
  const first =
    (name: string, program: string, words: string[], environment: NodeJS.ProcessEnv) => async () =>
      void ends[name]?.push(await untilFirstByte(program, words, environment));
  try {
    await takeTurns(
      {
        plain: first('plain', 'ssh', ['-F', config, 'box', 'echo', 'x'], env),
        on: first('on', process.execPath, cli, env),
        farPlain: first('farPlain', 'ssh', plain, env),
        farOn: first('farOn', process.execPath, cli, farEnv),
      },
      count,
    );
  } finally {
    relay.close();
  }
  const median = (name: string) => timing(ends[name] ?? []).medianMs;
  const more = (median('farOn') - median('farPlain') - (median('on') - median('plain'))) / roundTripMs;
  return {
    tables: [
      {
        title: 'First byte of a command on a host far away',
        note: `A round trip of ${roundTripMs} ms, a new connection each time; from the start of the client to the first byte.`,
        head: ['what', 'near', 'far'],
        rows: [
          ['ssh HOST echo x', ms(median('plain')), ms(median('farPlain'))],
          ['unstuck run --on ssh:HOST -- echo x', ms(median('on')), ms(median('farOn'))],
        ],
      },
    ],
    goals: [
      {
        what: 'round trips until the first byte, more than plain ssh',
        target: 'at most 1.5',
        measured: more.toFixed(2),
        met: more <= 1.5,
      },
    ],
  };
}

function untilFirstByte(program: string, words: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const startMs = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { env, stdio: ['ignore', 'pipe', 'ignore'] });
    let tookMs = Number.NaN;
    child.stdout.once('data', () => {
      tookMs = performance.now() - startMs;
    });
    child.stdout.resume();
    child.once('error', reject).once('close', () => resolve(tookMs));
  });
}

/** Passes connections on to a port, each chunk half a round trip later. */
async function startRelay(to: number): Promise<{ port: number; close(): void }> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((near) => {
    const far = net.connect(to, '127.0.0.1');
    pass(near, far);
    pass(far, near);
    for (const socket of [near, far]) sockets.add(socket.setNoDelay());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as net.AddressInfo;
  return {
    port,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

function pass(from: net.Socket, to: net.Socket): void {
  from.on('error', () => {});
  from.on('data', (chunk) => setTimeout(() => to.write(chunk), roundTripMs / 2));
  from.on('end', () => setTimeout(() => to.end(), roundTripMs / 2));
}
