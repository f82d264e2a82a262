import { type ChildProcess, type SpawnOptions, type StdioOptions, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { Failure } from '../../model/failure.js';
import type { InputKind } from '../../model/run/background.js';
import type { RunDirectory } from '../../store/run-directory.js';
import { checkProgram } from './find-program.js';
import type { PseudoTerminal } from './pseudo-terminal.js';

/** The command and the place where its run is stored. */
export interface ShimSpec {
  /** The value of UNSTUCK_RUN_ID in the environment of the command and everything it starts. */
  id: string;
  command: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** null: nothing is stored, and the output goes only to this process. */
  directory: RunDirectory | null;
  /** Soft limit of open files. Default: the limit of this process, which Node has raised. */
  openFiles?: number | undefined;
}

interface ShimManner {
  script: string;
  streams: 1 | 2 | 'pty';
  /** Empty: the run is in the foreground. */
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
 * dash drops variables whose names are not valid in a shell (`INPUT_NODE-VERSION`, functions of bash). bash keeps them,
 * and -p stops it from importing them as functions and from reading BASH_ENV.
 */
function shellFor(env: NodeJS.ProcessEnv): string[] {
  const bash = Object.keys(env).some((name) => !/^[A-Za-z_]\w*$/.test(name)) ? toolPath('bash') : null;
  return bash === null ? ['/bin/sh'] : [bash, '-p'];
}

/**
 * Variables that the shell of the shim would obey or overwrite: an exported `set -e`, a limit for `read`, an invalid
 * number. None of them is a secret, because they are passed as arguments of the shim.
 */
const heeded =
  /^(SHELLOPTS|BASHOPTS|BASH_COMPAT|BASH_XTRACEFD|POSIXLY_CORRECT|FUNCNEST|TMOUT|EXECIGNORE|GLOBIGNORE|IFS|OPTIND|OPTERR|PPID|LINENO|RANDOM|SECONDS|PS[14])$/;
/** bash also counts its nesting depth, and prints a warning about a locale that it does not know. */
const heededByBash = /^(LANG|LANGUAGE|LC_\w+|SHLVL|OLDPWD)$/;

const isBash = (shell: string) => path.basename(fs.realpathSync(shell)) === 'bash';

/** Splits the environment: variables for the shell, and arguments before the command that restore the rest. */
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
  // `--` ends the options of setsid, because the command's name may begin with a dash.
  const leader = setsid === null ? [] : streams === 'pty' ? [setsid, '-c', '--'] : [setsid, '--'];
  const isFed = input === 'pipe' || input === 'pty';
  const tools = isFed ? [toolPath('head') ?? 'head', toolPath('stty') ?? 'stty'] : ['', ''];
  // Placed before setsid, whose arguments cannot be taken for a variable.
  const [before, words] =
    giveBack.length === 0 ? [leader.join(' '), command] : ['', [...giveBack, ...leader, ...command]];
  const cat = toolPath('cat') ?? 'cat';
  return [directory?.path ?? '', cat, before, String(streams), id, input, ...tools, ...words];
}

/** The limit is first tried in a subshell, because a refused limit would end the shim. */
function limitLines({ openFiles }: ShimSpec): string[] {
  const line = `ulimit -S -n ${openFiles}`;
  return openFiles === undefined ? [] : [`(${line}) 2>/dev/null && ${line}`];
}

/** Descriptors 8 and 9 of the shim. It uses the lower descriptors itself. */
export function terminalEnds(terminal: PseudoTerminal | null): ('ignore' | number)[] {
  const unused = Array<'ignore'>(4).fill('ignore');
  return terminal === null ? [] : [...unused, terminal.slave, terminal.master];
}

/** Throws a Failure with the reason. */
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
  // The current directory needs no permission check.
  const isHere = cwd === process.cwd();
  if (!isHere) checkDirectory(cwd);
  checkProgram(command[0] ?? '', cwd, env);
  const [shell = '', ...shellOptions] = shellFor(env);
  const shared = shareOut(env, shell);
  // The script is passed as a variable. As an argument, a page of text would appear in every process list.
  const script = ['-c', 'eval "$UNSTUCK_SHIM"', 'unstuck'];
  const words = [...shellOptions, ...script, ...shimArguments(spec, manner, shared.giveBack)];
  const options: SpawnOptions = {
    ...(!isHere && { cwd }),
    env: { ...shared.env, UNSTUCK_SHIM: [...limitLines(spec), manner.script].join('\n') },
    detached: true,
    stdio: manner.stdio,
  };
  const shim = attempt(() => spawn(shell, words, options));
  if (shim?.pid !== undefined) return shim as ChildProcess & { pid: number };
  throw new Failure(
    'cannot-start',
    `the system refused to start ${command[0]} (its arguments may be too long, or there are too many processes)`,
    'shorten the command line, or see: ulimit -u',
  );
}

/** null: refused. Some reasons (E2BIG) are thrown; others (EAGAIN) come with an event that can be ignored. */
function attempt(start: () => ChildProcess): ChildProcess | null {
  try {
    const child = start();
    child.on('error', () => {});
    return child;
  } catch {
    return null;
  }
}
