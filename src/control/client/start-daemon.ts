import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { daemonSettings, daemonVariables } from '../../config/daemon-settings.js';
import { Failure } from '../../model/failure.js';
import type { ProcessIdentity } from '../../model/identity.js';
import { needProc } from '../../probe/linux/has-proc.js';
import { identify } from '../../probe/linux/identify.js';
import { daemonFile } from '../../store/daemon-files.js';
import { openForAppend } from '../../store/open-own-file.js';
import { daemonWords } from './daemon-words.js';
import { findCli } from './find-cli.js';

/** All that a daemon needs to know of whoever happens to start it; what a command inherits comes with `start`. */
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
  // Whatever a test leaves behind is found by it.
  'UNSTUCK_TEST_SESSION',
];

/** Tells the pid of what it leaves behind. */
const launcher = '"$@" 3>&- & echo "$!" >&3';

/**
 * Goes before it where a child would inherit more of ours: a daemon with the lock of a script in its hands keeps it for
 * ever. No other way is always there: dash closes descriptors below 10 only, and in our own process they may belong to
 * somebody who wants them inherited.
 */
const closer = `const [fds, file, ...words] = process.argv.slice(1);
for (const fd of fds.split(',')) require('node:fs').closeSync(Number(fd));
require('node:child_process').spawnSync(file, words, { stdio: [0, 1, 2, 3] });`;

/**
 * Starts a daemon that keeps nothing of ours: no stdio, no terminal, no directory. The shell between makes it nobody's
 * child, or a run that calls us would take it, and all that it starts, for a part of itself. null: it is gone already.
 */
export async function startDaemon(
  home: string,
  env: NodeJS.ProcessEnv,
  patience: AbortSignal,
): Promise<ProcessIdentity | null> {
  needProc('runs in the background need it, to prove which processes are theirs; unstuck run works without');
  // What is wrong with them is said here, not in a log.
  daemonSettings(env);
  const log = openLog(home);
  try {
    const [file = '', ...words] = launchWords(findCli(env));
    const child = spawn(file, words, {
      detached: true,
      cwd: '/',
      env: daemonEnv(home, env),
      stdio: ['ignore', log, log, 'pipe'],
    });
    // A shell ends at once, and tells what it has started; Node may be stuck before it runs anything.
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

function launchWords(cli: string): string[] {
  const words = ['/bin/sh', '-c', launcher, 'sh', ...daemonWords(process.execPath, cli)];
  const fds = inheritable();
  return fds.length === 0 ? words : [process.execPath, '-e', closer, '--', fds.join(','), ...words];
}

const closeOnExec = 0o2000000;

/** Descriptors of this process that reach a child without being asked for; Node's own do not. */
function inheritable(): number[] {
  const fds = fs.readdirSync('/proc/self/fdinfo').map(Number);
  return fds.filter((fd) => fd > 3 && (flagsOf(fd) & closeOnExec) === 0);
}

function flagsOf(fd: number): number {
  try {
    const info = fs.readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1');
    return Number.parseInt(/^flags:\s*(\d+)/m.exec(info)?.[1] ?? '', 8);
  } catch {
    // It was the one that read the directory.
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
    `the daemon cannot be started: ${cause.message}`,
    'try: unstuck daemon run',
    {
      cause,
    },
  );
}
