import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './free-port.js';
import { patienceMs } from './patience.js';
import { removeDirectory } from './remove-directory.js';

/** An sshd of this user on loopback, with keys of its own. */
export interface SshHost {
  /** `ssh:HOST` for it. */
  name: string;
  /** Variables with which clients find it. */
  env: NodeJS.ProcessEnv;
  directory: string;
  port: number;
  pid: number;
  /** Path of the private key. */
  key: string;
  /** Listening daemon's children: one per connection. */
  close(): Promise<void>;
}

const sshd = '/usr/sbin/sshd';

function reasonAgainst(): string | null {
  if (!fs.existsSync(sshd)) return 'sshd is not installed';
  // sshd runs every command through the login shell.
  return /(nologin|false)$/.test(os.userInfo().shell ?? '') ? 'this user has no login shell' : null;
}

/** Why there is none here; null: there is one. */
export const noSshd = reasonAgainst();

async function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

/** Starts an sshd on a free port. The commands there have a HOME of their own. */
export async function startSshHost({ shell }: { shell?: string } = {}): Promise<SshHost> {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-sshd-'));
  const file = (name: string) => path.join(directory, name);
  fs.mkdirSync(file('home'), { mode: 0o700 });
  for (const name of ['host', 'user']) {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file(name)]);
  }
  fs.copyFileSync(file('user.pub'), file('authorized'));
  const port = await freePort();
  const config = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${file('host')}`,
    `AuthorizedKeysFile ${file('authorized')}`,
    `PidFile ${file('sshd.pid')}`,
    'StrictModes no',
    'UsePAM no',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'MaxSessions 100',
    'MaxStartups 100',
    'PermitUserEnvironment no',
    `SetEnv HOME=${file('home')} XDG_STATE_HOME=${file('home')}/state${shell === undefined ? '' : ` UNSTUCK_TEST_SHELL=${shell}`}`,
    ...(shell === undefined ? [] : [`ForceCommand exec ${shell} -c "$SSH_ORIGINAL_COMMAND"`]),
  ];
  fs.writeFileSync(file('sshd_config'), `${config.join('\n')}\n`);
  const known = fs.readFileSync(file('host.pub'), 'utf8').split(' ').slice(0, 2).join(' ');
  fs.writeFileSync(file('known'), `[127.0.0.1]:${port} ${known}\n`);
  fs.writeFileSync(
    file('ssh_config'),
    [
      'Host box',
      '  HostName 127.0.0.1',
      `  Port ${port}`,
      `  User ${os.userInfo().username}`,
      `  IdentityFile ${file('user')}`,
      '  IdentitiesOnly yes',
      `  UserKnownHostsFile ${file('known')}`,
      '  LogLevel ERROR',
      '',
    ].join('\n'),
  );
  if (process.getuid?.() === 0) fs.mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  const daemon = spawn(sshd, ['-D', '-e', '-f', file('sshd_config')], {
    stdio: ['ignore', 'ignore', fs.openSync(file('sshd.log'), 'w')],
    detached: true,
  });
  const untilMs = performance.now() + patienceMs;
  while (!(await accepts(port))) {
    if (performance.now() > untilMs || daemon.exitCode !== null) {
      throw new Error(`sshd does not listen: ${fs.readFileSync(file('sshd.log'), 'utf8')}`);
    }
    await delay(20);
  }
  const pid = daemon.pid as number;
  return {
    name: 'ssh:box',
    env: { ...process.env, UNSTUCK_SSH: `ssh -F ${file('ssh_config')}` },
    directory,
    port,
    pid,
    key: file('user'),
    async close() {
      const isOver = daemon.exitCode !== null || daemon.signalCode !== null;
      const ended = isOver ? null : new Promise((resolve) => daemon.once('close', resolve));
      for (const child of childrenOf(pid)) killOne(child);
      killOne(pid);
      await ended;
      // What it started may live on for a moment, and write.
      await removeDirectory(directory);
    },
  };
}

/** Processes below a process, nearest first. */
export function childrenOf(pid: number): number[] {
  try {
    const text = fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    const children = text === '' ? [] : text.split(' ').map(Number);
    return [...children, ...children.flatMap(childrenOf)];
  } catch {
    return [];
  }
}

function killOne(pid: number): void {
  try {
    process.kill(pid, 'SIGCONT');
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
