import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { daemonSettings, daemonVariables } from '../../config/daemon-settings.js';
import type { ProcessIdentity } from '../../model/facts/identity.js';
import { Failure } from '../../model/failure.js';
import { needProc, needUnix } from '../../probe/machine.js';
import { identify } from '../../probe/processes.js';
import { daemonFile } from '../../store/daemon-files.js';
import { openForAppend, openOwnFile } from '../../store/files.js';
import { findCli } from './find-cli.js';

const tailBytes = 4096;
const messageCharsMax = 300;

/** The last error message of a daemon that failed. A daemon that found another one running has not failed. */
export function lastMessage(home: string): string {
  try {
    const messages = readTail(daemonFile(home, 'log')).match(
      /^(?:unstuck: (?!internal error|the daemon is already running)|\w*Error\b).*/gm,
    );
    return messages === null
      ? ''
      : `: ${messages.at(-1)?.replace('unstuck: ', '').slice(0, messageCharsMax)}`;
  } catch {
    return '';
  }
}

function readTail(file: string): string {
  const fd = openOwnFile(file);
  try {
    const bytes = Buffer.alloc(tailBytes);
    const from = Math.max(0, fs.fstatSync(fd).size - tailBytes);
    return bytes.toString('utf8', 0, fs.readSync(fd, bytes, 0, tailBytes, from));
  } finally {
    fs.closeSync(fd);
  }
}

/** Variables that a daemon inherits from the process that starts it; what a command inherits comes with `start`. */
const inherited = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'TZ',
  'TMPDIR',
  'XDG_CONFIG_HOME',
  'XDG_RUNTIME_DIR',
  ...daemonVariables,
  // Tests find leftover processes by it.
  'UNSTUCK_TEST_SESSION',
];

/** Writes the pid of the process it leaves behind. */
const launcher = '"$@" 3>&- & echo "$!" >&3';

/**
 * Runs first when a child would inherit more descriptors of ours: a daemon that inherits the lock of a script keeps it
 * for ever. Nothing simpler works everywhere: dash closes only descriptors below 10, and in our own process the
 * descriptors may be meant to be inherited.
 */
const closer = `const [fds, file, ...args] = process.argv.slice(1);
for (const fd of fds.split(',')) require('node:fs').closeSync(Number(fd));
require('node:child_process').spawnSync(file, args, { stdio: [0, 1, 2, 3] });`;

/**
 * Starts a daemon that inherits no stdio, terminal or directory. The shell in between reparents it; otherwise a run
 * that calls us would count the daemon, and all that it starts, as part of itself. null: it has ended already.
 */
export async function startDaemon(
  home: string,
  env: NodeJS.ProcessEnv,
  patience: AbortSignal,
): Promise<ProcessIdentity | null> {
  needUnix();
  needProc('background runs need it to prove which processes are theirs; unstuck run works without it');
  // Invalid settings are reported here, not in a log.
  daemonSettings(env);
  const log = openLog(home);
  try {
    const [file = '', ...args] = launchArgv(findCli(env));
    const child = spawn(file, args, {
      detached: true,
      cwd: '/',
      env: daemonEnv(home, env),
      stdio: ['ignore', log, log, 'pipe'],
    });
    // A shell ends at once and reports the pid. Node may be stuck before it runs anything.
    const giveUp = () => file === process.execPath && child.kill('SIGKILL');
    patience.addEventListener('abort', giveUp);
    const ended = Promise.all([text(child.stdio[3] as Readable), once(child, 'exit')]);
    const [pid] = await ended.finally(() => patience.removeEventListener('abort', giveUp));
    if (pid === '') patience.throwIfAborted();
    return identify(Number(pid));
  } catch (cause) {
    if (patience.aborted) throw patience.reason;
    throw cause instanceof Failure ? cause : cannotStart(cause as Error);
  } finally {
    fs.closeSync(log);
  }
}

function launchArgv(cli: string): string[] {
  const argv = ['/bin/sh', '-c', launcher, 'sh', ...daemonArgv(process.execPath, cli)];
  const fds = inheritable();
  return fds.length === 0 ? argv : [process.execPath, '-e', closer, '--', fds.join(','), ...argv];
}

const closeOnExec = 0o2000000;

/** Descriptors of this process that a child inherits by default; Node's own are closed on exec. */
function inheritable(): number[] {
  const fds = fs.readdirSync('/proc/self/fdinfo').map(Number);
  return fds.filter((fd) => fd > 3 && (flagsOf(fd) & closeOnExec) === 0);
}

function flagsOf(fd: number): number {
  try {
    const info = fs.readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1');
    return Number.parseInt(/^flags:\s*(\d+)/m.exec(info)?.[1] ?? '', 8);
  } catch {
    // The descriptor that read the directory is closed by now.
    return closeOnExec;
  }
}

function openLog(home: string): number {
  try {
    return openForAppend(daemonFile(home, 'log'));
  } catch (cause) {
    throw cannotStart(cause as Error);
  }
}

function daemonEnv(home: string, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = inherited.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]));
  return { ...Object.fromEntries(kept), UNSTUCK_HOME: home };
}

function cannotStart(cause: Error): Failure {
  return new Failure(
    'no-daemon',
    `cannot start the daemon: ${cause.message}`,
    'see why: unstuck daemon run',
    { cause },
  );
}

/**
 * Between two ticks V8 takes a daemon for idle and collects garbage two or three times, to free memory that the next
 * tick needs again. With a thousand runs that is a fifth of the total cost. And it takes up to 33 MB for young objects,
 * of which a daemon needs 4. `--expose-gc`: src/daemon/small-heap.ts. The flags work only from the start of Node.
 */
const nodeFlags = ['--no-memory-reducer', '--max-semi-space-size=2', '--expose-gc'];

/** The argv that starts a daemon. */
export function daemonArgv(node: string, cli: string): string[] {
  return [node, ...nodeFlags, cli, 'daemon', 'run'];
}
