import { spawn } from 'node:child_process';
import fs from 'node:fs';
import type { Readable } from 'node:stream';
import { Failure } from '../model/failure.js';
import type { ProcessIdentity } from '../model/identity.js';
import { bootId } from '../probe/linux/identify.js';
import { parseStat } from '../probe/linux/stat.js';
import type { RunDirectory } from '../store/run-directory.js';
import { checkProgram } from './find-program.js';
import type { PseudoTerminal } from './pseudo-terminal.js';
import { shim } from './shim.js';

export interface LaunchSpec {
  /** In the environment of the command and all it starts, as UNSTUCK_RUN_ID. */
  id: string;
  command: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** null: no place to keep anything; the output reaches us alone. */
  directory: RunDirectory | null;
  /** 1: stdout and stderr through one pipe, in exact order. */
  streams: 1 | 2;
  /** A descriptor of ours, or nothing. */
  stdin: number | null;
  /** What the command has instead of all three; null: no terminal. */
  terminal: PseudoTerminal | null;
}

/** A command on its way, kept by the shim. */
export interface Launched {
  /** The shim; not a member of the run's tree. */
  keeper: number;
  /** Who the command is; null: the shim ended before it said. */
  identity: Promise<ProcessIdentity | null>;
  /** What the shim saw it end with; null: the shim was killed. */
  exitCode: Promise<number | null>;
  /** Output that could not be logged. */
  live: { stdout: Readable; stderr: Readable };
  /** The shim is gone: everything the command ever printed has been drained. */
  drained: Promise<void>;
  /** Lets go of it: it lives on without us. */
  release(): void;
}

function toolPath(name: string): string | null {
  for (const dir of ['/usr/bin', '/bin', '/usr/local/bin']) {
    if (fs.existsSync(`${dir}/${name}`)) return `${dir}/${name}`;
  }
  return null;
}

/** dash forgets variables whose names are no names in a shell (`INPUT_NODE-VERSION`, functions of bash); bash does not. */
function shellFor(env: NodeJS.ProcessEnv): string {
  const isOdd = Object.keys(env).some((name) => !/^[A-Za-z_]\w*$/.test(name));
  return (isOdd ? toolPath('bash') : null) ?? '/bin/sh';
}

function shimArguments({ id, directory, terminal, streams }: LaunchSpec): string[] {
  const setsid = toolPath('setsid');
  if (terminal !== null && setsid === null) {
    throw new Failure(
      'unsupported',
      'a terminal needs the program setsid',
      'install util-linux, or leave out --pty',
    );
  }
  // With the end of its options: the command's name may look like one.
  const leader = setsid === null ? '' : terminal === null ? `${setsid} --` : `${setsid} -c --`;
  const kind = terminal === null ? String(streams) : 'pty';
  return [directory?.path ?? '', toolPath('cat') ?? 'cat', leader, kind, id];
}

/** Descriptors 8 and 9 of the shim; those before are its own. */
function terminalEnds({ terminal }: LaunchSpec): ('ignore' | number)[] {
  const unused = Array<'ignore'>(4).fill('ignore');
  return terminal === null ? [] : [...unused, terminal.slave, terminal.master];
}

/** Starts the command under the shim, in a session of its own. Throws a Failure when it cannot be executed. */
export function launch(spec: LaunchSpec): Launched {
  const { command, cwd, env } = spec;
  if (!fs.existsSync(cwd)) {
    throw new Failure('bad-input', `no such directory: ${cwd}`, 'name one that exists');
  }
  checkProgram(command[0] ?? '', cwd, env);
  // The script comes as a variable: as an argument, a page of it would stand in every list of processes.
  const words = ['-c', 'eval "$UNSTUCK_SHIM"', 'unstuck', ...shimArguments(spec), ...command];
  const keeper = spawn(shellFor(env), words, {
    // Where we are already, we need not be allowed to go.
    ...(cwd !== process.cwd() && { cwd }),
    env: { ...env, UNSTUCK_SHIM: shim },
    detached: true,
    stdio: [spec.stdin ?? 'ignore', 'pipe', 'pipe', 'pipe', ...terminalEnds(spec)],
  });
  if (keeper.pid === undefined) {
    // The reason comes with the event, which nobody needs to wait for: E2BIG, EAGAIN, ENOMEM.
    keeper.on('error', () => {});
    throw new Failure(
      'cannot-start',
      `the system refused to start ${command[0]} (its arguments may be too long, or there are too many processes)`,
      'shorten the command line, or see: ulimit -u',
    );
  }
  const { identity, exitCode } = readControl(keeper.stdio[3] as Readable);
  const drained = new Promise<void>((resolve) => {
    keeper.once('close', () => resolve());
  });
  return {
    keeper: keeper.pid,
    identity,
    exitCode,
    live: { stdout: keeper.stdout as Readable, stderr: keeper.stderr as Readable },
    drained,
    release() {
      keeper.unref();
      for (const stream of keeper.stdio) (stream as Readable | null)?.destroy();
    },
  };
}

interface Told {
  identity: Promise<ProcessIdentity | null>;
  exitCode: Promise<number | null>;
}

/** `pid` with a line as in /proc/PID/stat, later `exit N`. */
function readControl(control: Readable): Told {
  const words = new Map<string, (rest: string | null) => void>();
  const told = (word: string) =>
    new Promise<string | null>((resolve) => {
      words.set(word, resolve);
    });
  const identity = told('pid').then((stat) => (stat === null ? null : identityOf(stat)));
  const exitCode = told('exit').then((status) => (status === null ? null : Number(status)));
  let text = '';
  control.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    for (const [, word = '', rest = ''] of text.matchAll(/^(\w+) (.*)\n/gm)) words.get(word)?.(rest);
  });
  control.once('close', () => {
    for (const resolve of words.values()) resolve(null);
  });
  control.on('error', () => {});
  return { identity, exitCode };
}

function identityOf(line: string): ProcessIdentity | null {
  const stat = parseStat(Buffer.from(line, 'latin1'));
  return stat === null ? null : { bootId: bootId(), pid: stat.pid, startTicks: stat.startTicks };
}
