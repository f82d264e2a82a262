import { type ChildProcess, type SpawnOptions, type StdioOptions, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { Failure } from '../../model/failure.js';
import type { InputKind } from '../../model/run/background.js';
import type { RunDirectory } from '../../store/run-directory.js';
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
  /** Soft limit of open files; without it ours, which Node has raised. */
  openFiles?: number | undefined;
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

/**
 * dash forgets variables whose names are no names in a shell (`INPUT_NODE-VERSION`, functions of bash); bash does not,
 * and -p keeps it from taking them for its own functions, and from reading BASH_ENV.
 */
function shellFor(env: NodeJS.ProcessEnv): string[] {
  const bash = Object.keys(env).some((name) => !/^[A-Za-z_]\w*$/.test(name)) ? toolPath('bash') : null;
  return bash === null ? ['/bin/sh'] : [bash, '-p'];
}

/**
 * What the shell of the shim would obey or overwrite: an exported `set -e`, a limit for `read`, a number that is none.
 * Nothing of it is a secret, for it stands among the arguments of the shim.
 */
const heeded =
  /^(SHELLOPTS|BASHOPTS|BASH_COMPAT|BASH_XTRACEFD|POSIXLY_CORRECT|FUNCNEST|TMOUT|EXECIGNORE|GLOBIGNORE|IFS|OPTIND|OPTERR|PPID|LINENO|RANDOM|SECONDS|PS[14])$/;
/** bash also counts how deep it is, and complains, in any language, about one that it does not know. */
const heededByBash = /^(LANG|LANGUAGE|LC_\w+|SHLVL|OLDPWD)$/;

const isBash = (shell: string) => path.basename(fs.realpathSync(shell)) === 'bash';

/** What the shell gets, and the words before the command that give it the rest. */
function shareOut(env: NodeJS.ProcessEnv, shell: string): { env: NodeJS.ProcessEnv; giveBack: string[] } {
  const tool = toolPath('env');
  const names = isBash(shell) ? [heeded, heededByBash] : [heeded];
  const isHeld = ([name]: [string, unknown]) => tool !== null && names.some((some) => some.test(name));
  const given = Object.entries(env).filter(([, value]) => value !== undefined);
  const held = given.filter(isHeld).map(([name, value]) => `${name}=${value}`);
  return {
    env: Object.fromEntries(given.filter((entry) => !isHeld(entry))),
    giveBack: tool === null || held.length === 0 ? [] : [tool, ...held],
  };
}

function shimArguments(
  { id, directory, command }: ShimSpec,
  { streams, input }: ShimManner,
  giveBack: string[],
): string[] {
  const setsid = toolPath('setsid');
  if (streams === 'pty' && setsid === null) {
    throw new Failure(
      'unsupported',
      'a terminal needs the program setsid',
      'install util-linux, or leave out --pty',
    );
  }
  // With the end of its options: the command's name may look like one.
  const leader = setsid === null ? [] : streams === 'pty' ? [setsid, '-c', '--'] : [setsid, '--'];
  const isFed = input === 'pipe' || input === 'pty';
  const tools = isFed ? [toolPath('head') ?? 'head', toolPath('stty') ?? 'stty'] : ['', ''];
  // Before setsid, whose words cannot be taken for a variable.
  const [before, words] =
    giveBack.length === 0 ? [leader.join(' '), command] : ['', [...giveBack, ...leader, ...command]];
  const cat = toolPath('cat') ?? 'cat';
  return [directory?.path ?? '', cat, before, String(streams), id, input, ...tools, ...words];
}

/** Tried first in a shell of its own: one that is refused would end the shim. */
function limitLines({ openFiles }: ShimSpec): string[] {
  const line = `ulimit -S -n ${openFiles}`;
  return openFiles === undefined ? [] : [`(${line}) 2>/dev/null && ${line}`];
}

/** Descriptors 8 and 9 of the shim; those before are its own. */
export function terminalEnds(terminal: PseudoTerminal | null): ('ignore' | number)[] {
  const unused = Array<'ignore'>(4).fill('ignore');
  return terminal === null ? [] : [...unused, terminal.slave, terminal.master];
}

/** Throws a Failure that says what is wrong with it. */
function checkDirectory(cwd: string): void {
  try {
    if (!fs.statSync(cwd).isDirectory()) throw notThere(`not a directory: ${cwd}`);
    fs.accessSync(cwd, fs.constants.X_OK);
  } catch (error) {
    if (error instanceof Failure) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw notThere(`no such directory: ${cwd}`);
    if (code === 'ENOTDIR') throw notThere(`not a directory: ${cwd}`);
    if (code !== 'EACCES') throw notThere(`the directory cannot be used: ${message}`);
    const hint = 'name another one, or ask its owner to let you in';
    throw new Failure('bad-input', `you may not enter the directory ${cwd}`, hint);
  }
}

function notThere(message: string): Failure {
  return new Failure('bad-input', message, 'name a directory that exists');
}

/** Starts the shim with a command, in a session of its own. Throws a Failure when it cannot be executed. */
export function startShim(spec: ShimSpec, manner: ShimManner): ChildProcess & { pid: number } {
  const { command, cwd, env } = spec;
  // Where we are already, we need not be allowed to go.
  const isHere = cwd === process.cwd();
  if (!isHere) checkDirectory(cwd);
  checkProgram(command[0] ?? '', cwd, env);
  const [shell = '', ...shellOptions] = shellFor(env);
  const shared = shareOut(env, shell);
  // The script comes as a variable: as an argument, a page of it would stand in every list of processes.
  const script = ['-c', 'eval "$UNSTUCK_SHIM"', 'unstuck'];
  const words = [...shellOptions, ...script, ...shimArguments(spec, manner, shared.giveBack)];
  const options: SpawnOptions = {
    ...(!isHere && { cwd }),
    env: { ...shared.env, UNSTUCK_SHIM: [...limitLines(spec), manner.script].join('\n') },
    detached: true,
    stdio: manner.stdio,
  };
  const keeper = attempt(() => spawn(shell, words, options));
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
