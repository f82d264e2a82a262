import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findPlace } from '../src/places/find-place.js';
import { Place } from '../src/places/place.js';
import { PlaceSession } from '../src/places/session.js';
import { type SshHost, startSshHost } from '../test/support/ssh-host.js';
import { takeTurns, timing } from './measure.js';
import { roundTrips } from './places-distance.js';
import { type Goal, ms, type Table, times } from './report.js';

const silentMs = 30_000;
const bytesCopied = 64 * 2 ** 20;

/** An sshd on loopback: start, throughput, round trips, and the cost of a silent run. */
export async function benchPlaces(root: string, quick: boolean): Promise<{ tables: Table[]; goals: Goal[] }> {
  const host = await startSshHost();
  try {
    const parts = [
      await speed(root, host, quick ? 3 : 9),
      await roundTrips(root, host, quick ? 3 : 9),
      await silence(host),
    ];
    return { tables: parts.flatMap(({ tables }) => tables), goals: parts.flatMap(({ goals }) => goals) };
  } finally {
    await host.close();
  }
}

function run(program: string, words: string[], env: NodeJS.ProcessEnv): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { env, stdio: ['ignore', 'pipe', 'ignore'] });
    child.stdout.resume();
    child.once('error', reject).once('close', () => resolve());
  });
}

async function speed(
  root: string,
  host: SshHost,
  count: number,
): Promise<{ tables: Table[]; goals: Goal[] }> {
  const cli = path.join(root, 'dist/cli.cjs');
  const env = { ...host.env, UNSTUCK_HOME: path.join(host.directory, 'uh'), UNSTUCK_HEARTBEAT: '0' };
  const config = path.join(host.directory, 'ssh_config');
  const ssh = (...words: string[]) => run('ssh', ['-F', config, 'box', ...words], env);
  const there = (...words: string[]) =>
    run(process.execPath, [cli, 'run', '--on', host.name, '--', ...words], env);
  const here = (...words: string[]) => run(process.execPath, [cli, 'run', '--', ...words], env);
  const file = path.join(host.directory, 'bytes');
  fs.writeFileSync(file, Buffer.alloc(bytesCopied, 'unstuck\n'));
  const took = await takeTurns(
    {
      ssh: () => ssh('echo', 'x'),
      'run --on': () => there('echo', 'x'),
      'run here': () => here('echo', 'x'),
      'ssh cat': () => ssh('cat', file),
      'run --on cat': () => there('cat', file),
    },
    count,
  );
  const median = (name: keyof typeof took) => timing(took[name]).medianMs;
  const rate = (name: keyof typeof took) =>
    `${Math.round(bytesCopied / 2 ** 20 / (median(name) / 1000))} MB/s`;
  const ratio = median('run --on cat') / median('ssh cat');
  return {
    tables: [
      {
        title: 'A command on a host over ssh, against plain ssh',
        note: 'sshd on loopback; a new connection each time.',
        head: ['what', 'median', 'throughput'],
        rows: [
          ['ssh HOST echo x', ms(median('ssh')), ''],
          ['unstuck run --on ssh:HOST -- echo x', ms(median('run --on')), ''],
          ['unstuck run -- echo x (this machine)', ms(median('run here')), ''],
          ['ssh HOST cat (64 MB)', ms(median('ssh cat')), rate('ssh cat')],
          ['unstuck run --on ssh:HOST -- cat (64 MB)', ms(median('run --on cat')), rate('run --on cat')],
        ],
      },
    ],
    goals: [
      {
        what: '64 MB from a host, against ssh cat',
        target: 'at most 3 times as long',
        measured: times(ratio),
        met: ratio <= 3,
      },
    ],
  };
}

/** Bytes over the connection and CPU of the shells there, while a run is followed that prints nothing. */
async function silence(host: SshHost): Promise<{ tables: Table[]; goals: Goal[] }> {
  const session = new PlaceSession(new Place(findPlace(host.name, host.env), host.env));
  try {
    await session.request(
      'up_make run_00000000beef output.log; sleep 600 >/dev/null 2>&1 8>&- 9>&- & read -r l </proc/$!/stat; echo "$l" >"$up_dir/claim"; echo "$l" >"$up_dir/pid"',
    );
    const unwatch = session.watch({
      id: 'run_00000000beef',
      offsets: () => [0],
      output() {},
      state() {},
      reachable() {},
    });
    await delay(3000);
    const before = { bytes: bytesOf(session.clientPid ?? 0), cpu: await cpuThere(session) };
    await delay(silentMs);
    const bytes = bytesOf(session.clientPid ?? 0) - before.bytes;
    const cpu = (await cpuThere(session)) - before.cpu;
    unwatch();
    const perMinute = Math.round((bytes * 60_000) / silentMs);
    const percent = ((cpu / (silentMs / 10)) * 100).toFixed(2);
    await session.request(
      'read -r p x <"$up_home/run_00000000beef/pid"; kill "$p"; rm -rf "$up_home/run_00000000beef"',
    );
    return {
      tables: [
        {
          title: 'A silent run on a host',
          note: `${silentMs / 1000} s; bytes that the client read and wrote, CPU of all processes of the session there.`,
          head: ['what', 'measured'],
          rows: [
            ['bytes per minute', String(perMinute)],
            ['CPU there', `${percent} % of a core`],
          ],
        },
      ],
      goals: [],
    };
  } finally {
    session.close();
  }
}

/** What a process has read and written. */
function bytesOf(pid: number): number {
  const text = fs.readFileSync(`/proc/${pid}/io`, 'utf8');
  return [...text.matchAll(/^[rw]char: (\d+)$/gm)].reduce((sum, [, count]) => sum + Number(count), 0);
}

/** Ticks of the shells of the session and of all that they have started and waited for. */
async function cpuThere(session: PlaceSession): Promise<number> {
  const { text } = await session.request(
    'cat /proc/$$/stat; for f in "$up_tmp"/follower.*; do read -r p x <"$f"; cat /proc/$p/stat; done',
  );
  const ticks = text.split('\n').map((line) =>
    line
      .replace(/^.*\) /, '')
      .split(' ')
      .slice(11, 15)
      .map(Number),
  );
  return ticks.flat().reduce((sum, count) => sum + (Number.isFinite(count) ? count : 0), 0);
}
