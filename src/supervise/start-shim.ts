import { type ChildProcess, type SpawnOptions, type StdioOptions, spawn } from 'node:child_process';
import fs from 'node:fs';
import type { InputKind } from '../model/background.js';
import { Failure } from '../model/failure.js';
import type { RunDirectory } from '../store/run-directory.js';
import { checkProgram } from './find-program.js';
import type { PseudoTerminal } from './pseudo-terminal.js';

/** What is run, and where it is kept. */
export interface ShimSpec {
  /** In the environment of the command and all it starts, as UNSTUCK_RUN_ID. */
  id: string;
  command: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** null: no place to keep anything; the output reaches us alone. */
  directory: RunDirectory | null;
}

interface ShimManner {
  script: string;
  streams: 1 | 2 | 'pty';
  /** Empty: in the foreground. */
  input: InputKind | '';
  stdio: StdioOptions;
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

function shimArguments({ id, directory }: ShimSpec, { streams, input }: ShimManner): string[] {
  const setsid = toolPath('setsid');
  if (streams === 'pty' && setsid === null) {
    throw new Failure(
      'unsupported',
      'a terminal needs the program setsid',
      'install util-linux, or leave out --pty',
    );
  }
  // With the end of its options: the command's name may look like one.
  const leader = setsid === null ? '' : streams === 'pty' ? `${setsid} -c --` : `${setsid} --`;
  const isFed = input === 'pipe' || input === 'pty';
  const tools = isFed ? [toolPath('head') ?? 'head', toolPath('stty') ?? 'stty'] : ['', ''];
  return [directory?.path ?? '', toolPath('cat') ?? 'cat', leader, String(streams), id, input, ...tools];
}

/** Descriptors 8 and 9 of the shim; those before are its own. */
export function terminalEnds(terminal: PseudoTerminal | null): ('ignore' | number)[] {
  const unused = Array<'ignore'>(4).fill('ignore');
  return terminal === null ? [] : [...unused, terminal.slave, terminal.master];
}

/** Starts the shim with a command, in a session of its own. Throws a Failure when it cannot be executed. */
export function startShim(spec: ShimSpec, manner: ShimManner): ChildProcess & { pid: number } {
  const { command, cwd, env } = spec;
  if (!fs.existsSync(cwd)) {
    throw new Failure('bad-input', `no such directory: ${cwd}`, 'name one that exists');
  }
  checkProgram(command[0] ?? '', cwd, env);
  // The script comes as a variable: as an argument, a page of it would stand in every list of processes.
  const words = ['-c', 'eval "$UNSTUCK_SHIM"', 'unstuck', ...shimArguments(spec, manner), ...command];
  const options: SpawnOptions = {
    // Where we are already, we need not be allowed to go.
    ...(cwd !== process.cwd() && { cwd }),
    env: { ...env, UNSTUCK_SHIM: manner.script },
    detached: true,
    stdio: manner.stdio,
  };
  const keeper = attempt(() => spawn(shellFor(env), words, options));
  if (keeper?.pid !== undefined) return keeper as ChildProcess & { pid: number };
  throw new Failure(
    'cannot-start',
    `the system refused to start ${command[0]} (its arguments may be too long, or there are too many processes)`,
    'shorten the command line, or see: ulimit -u',
  );
}

/** null: refused. Some reasons (E2BIG) are thrown, some (EAGAIN) come with an event, which nobody needs to wait for. */
function attempt(start: () => ChildProcess): ChildProcess | null {
  try {
    const child = start();
    child.on('error', () => {});
    return child;
  } catch {
    return null;
  }
}
