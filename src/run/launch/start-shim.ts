import {
  type ChildProcess,
  type SpawnOptions,
  type StdioOptions,
  spawn,
  spawnSync,
} from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { Failure } from '../../model/failure.js';
import type { InputKind } from '../../model/run/background.js';
import { type Inherited, nothingInherited } from '../../model/run/inherited.js';
import { ownDirectory } from '../../probe/machine.js';
import type { RunDirectory } from '../../store/run-directory.js';
import { checkProgram } from './find-program.js';
import { signalLines, type Word, wordLines } from './give-back.js';
import { toolPath } from './tool-path.js';

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
  /** Default: nothing that Node does not pass on by itself. */
  inherited?: Inherited | undefined;
}

interface ShimManner {
  /** The script for these words: shim.ts. `shell`: the one that evaluates it. */
  script(before: readonly string[], shell: readonly string[]): string;
  /** Redirections to descriptors of two digits need it. */
  needsBash?: boolean;
  /** Where the log has little room, the output must reach this process in any case. */
  mayBeCareful?: boolean;
  streams: 1 | 2 | 'pty';
  /** Empty: the run is in the foreground. */
  input: InputKind | '';
  stdio: StdioOptions;
  /** Another shell leads the session of the terminal, and the command is its job. */
  isJob?: boolean;
}

/**
 * dash drops variables whose names are not valid in a shell (`INPUT_NODE-VERSION`, functions of bash). bash keeps them,
 * and -p stops it from importing them as functions and from reading BASH_ENV. With a socket as its input,
 * bash takes itself for a remote login and reads ~/.bashrc, unless --norc is given.
 */
function shellFor(env: NodeJS.ProcessEnv, needsBash: boolean): string[] {
  const isWanted = needsBash || Object.keys(env).some((name) => !/^[A-Za-z_]\w*$/.test(name));
  const bash = isWanted ? toolPath('bash') : null;
  return bash === null ? ['/bin/sh'] : [bash, '--norc', '-p'];
}

/** Words that give a shell a session with its terminal; null: there is no program for it. */
export function sessionWords(shell: readonly string[]): string[] | null {
  const setsid = toolPath('setsid');
  return setsid === null ? null : [setsid, '-c', '--', ...shell];
}

export const hasBash = () => toolPath('bash') !== null;

/**
 * Variables that the shell of the shim would obey or overwrite: an exported `set -e`, a limit for `read`, an invalid
 * number. None of them is a secret, because they are passed as arguments of the shim.
 */
const heeded =
  /^(SHELLOPTS|BASHOPTS|BASH_COMPAT|BASH_XTRACEFD|POSIXLY_CORRECT|FUNCNEST|TMOUT|EXECIGNORE|GLOBIGNORE|IFS|OPTIND|OPTERR|PPID|LINENO|RANDOM|SECONDS|PS[14])$/;
/** bash also counts its nesting depth, and prints a warning about a locale that it does not know. */
const heededByBash = /^(LANG|LANGUAGE|LC_\w+|SHLVL|OLDPWD)$/;

const isBash = (shell: string) => path.basename(fs.realpathSync.native(shell)) === 'bash';

/** A shell corrects a PWD that is not a name of its directory. */
const wrongDirectory = /^PWD$/;

/** Splits the environment: variables for the shell, and entries that are restored before the command. */
function shareOut(spec: ShimSpec, shell: string): { env: NodeJS.ProcessEnv; held: string[] } {
  const { env } = spec;
  const tool = toolPath('env');
  const names = [
    heeded,
    ...(isBash(shell) ? [heededByBash] : []),
    ...(keepsDirectory(spec) && !isSameFile(env.PWD ?? '.', '.') ? [wrongDirectory] : []),
  ];
  const isHeld = ([name]: [string, unknown]) => tool !== null && names.some((some) => some.test(name));
  const given = Object.entries(env).filter(([, value]) => value !== undefined);
  const held = given.filter(isHeld).map(([name, value]) => `${name}=${value}`);
  return {
    env: Object.fromEntries(given.filter((entry) => !isHeld(entry))),
    held,
  };
}

/** The command is where its caller is, and gets the PWD of its caller. In another directory that PWD would be wrong. */
const keepsDirectory = ({ cwd, inherited }: ShimSpec) => inherited !== undefined && cwd === ownDirectory();

function isSameFile(one: string, other: string): boolean {
  try {
    const [a, b] = [fs.statSync(one), fs.statSync(other)];
    return a.dev === b.dev && a.ino === b.ino;
  } catch {
    return false;
  }
}

/** A shell exports PWD, also where there was none. */
const directoryLines = (spec: ShimSpec) =>
  keepsDirectory(spec) && spec.env.PWD === undefined ? ['unset PWD'] : [];

/** The words that become the command: before it, those that restore what the shell would not pass on. */
function lastWords({ command, inherited }: ShimSpec, leader: string[], held: string[]): Word[] {
  const { blocked, bytes } = inherited ?? nothingInherited;
  const words = command.map((word, index): Word => bytes.words.get(index) ?? word);
  const tool = toolPath('env');
  const blocking = blocked.length === 0 || !canBlock(tool) ? [] : [`--block-signal=${blocked.join(',')}`];
  const restored = [...blocking, ...bytes.env, ...held];
  // Placed before setsid, whose arguments cannot be taken for a variable.
  return tool === null || restored.length === 0 ? words : [tool, ...restored, ...leader, ...words];
}

/** coreutils 8.31 or newer. */
function canBlock(tool: string | null): boolean {
  return tool !== null && spawnSync(tool, ['--block-signal=USR1', 'true'], { stdio: 'ignore' }).status === 0;
}

function leaderWords({ streams, isJob = false }: ShimManner): string[] {
  if (isJob) return [];
  const setsid = toolPath('setsid');
  if (streams === 'pty' && setsid === null) {
    throw new Failure(
      'unsupported',
      'a terminal needs the program setsid',
      'install util-linux, or leave out --pty',
    );
  }
  // `--` ends the options of setsid, because the command's name may begin with a dash.
  return setsid === null ? [] : streams === 'pty' ? [setsid, '-c', '--'] : [setsid, '--'];
}

function shimArguments(
  { id, directory, command }: ShimSpec,
  { streams, input, mayBeCareful = false }: ShimManner,
  words: readonly Word[],
  leader: string[],
): string[] {
  const isFed = input === 'pipe' || input === 'pty';
  const tools = isFed ? [toolPath('head') ?? 'head', toolPath('stty') ?? 'stty'] : ['', ''];
  const before = words.length === command.length ? leader.join(' ') : '';
  const cat = toolPath('cat') ?? 'cat';
  const tee = mayBeCareful ? (toolPath('tee') ?? '') : '';
  const texts = words.filter((word) => typeof word === 'string');
  return [directory?.path ?? '', cat, before, String(streams), id, input, ...tools, tee, ...texts];
}

/** The limit is first tried in a subshell, because a refused limit would end the shim. */
function limitLines({ openFiles }: ShimSpec): string[] {
  const line = `ulimit -S -n ${openFiles}`;
  return openFiles === undefined ? [] : [`(${line}) 2>/dev/null && ${line}`];
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
    throw new Failure('bad-input', `no permission to enter the directory ${cwd}`, hint);
  }
}

function notThere(message: string): Failure {
  return new Failure('bad-input', message, 'name a directory that exists');
}

/** Starts the shim with a command, in a session of its own. Throws a Failure when it cannot be executed. */
export function startShim(spec: ShimSpec, manner: ShimManner): ChildProcess & { pid: number } {
  const { command, cwd, env } = spec;
  // The current directory needs no permission check.
  const isHere = cwd === ownDirectory();
  if (!isHere) checkDirectory(cwd);
  const inherited = spec.inherited ?? nothingInherited;
  // A name that is not UTF-8 cannot be checked here. The shim reports it.
  if (!inherited.bytes.words.has(0)) checkProgram(command[0] ?? '', cwd, env);
  const [shell = '', ...shellOptions] = shellFor(env, manner.needsBash === true);
  const shared = shareOut(spec, shell);
  const leader = leaderWords(manner);
  const last = lastWords(spec, leader, shared.held);
  const script = manner.script(
    [...directoryLines(spec), ...wordLines(last), ...signalLines(inherited)],
    [shell, ...shellOptions],
  );
  // The script is passed as a variable. As an argument, a page of text would appear in every process list.
  const start = ['-c', 'eval "$UNSTUCK_SHIM"', 'unstuck'];
  const words = [...shellOptions, ...start, ...shimArguments(spec, manner, last, leader)];
  const options: SpawnOptions = {
    ...(!isHere && { cwd }),
    env: { ...shared.env, UNSTUCK_SHIM: [...limitLines(spec), script].join('\n') },
    detached: true,
    stdio: manner.stdio,
  };
  const shim = attempt(() => spawn(shell, words, options));
  if (shim?.pid !== undefined) return shim as ChildProcess & { pid: number };
  throw new Failure(
    'cannot-start',
    `the system refused to start ${command[0]} (its arguments may be too long, or there are too many processes or open files)`,
    'shorten the command line, or see: ulimit -u -n',
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
