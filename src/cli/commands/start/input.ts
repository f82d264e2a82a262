import fs from 'node:fs';
import path from 'node:path';
import { commandOfBytes } from '../../../control/command-of-bytes.js';
import type { OperationInput } from '../../../control/operations/table.js';
import { Failure } from '../../../model/failure.js';
import { waitMsMax } from '../../../model/run/background.js';
import { type Inherited, nothingInherited } from '../../../model/run/inherited.js';
import type { JsonFlag } from '../../shared/call.js';
import { readDuration } from '../../shared/read-duration.js';
import { readWishes, type WishFlags } from '../notices/wishes.js';
import { type LeaseFlags, readLease } from './lease.js';
import { type RestartFlags, readRestart } from './restart-flags.js';

export interface StartFlags extends JsonFlag, WishFlags, LeaseFlags, RestartFlags {
  shell?: string | undefined;
  on?: string | undefined;
  label?: string | undefined;
  task?: string | undefined;
  owner?: string | undefined;
  tag?: string[] | undefined;
  cwd?: string | undefined;
  env?: string[] | undefined;
  /** A machine of the fleet. */
  host?: string | undefined;
  envDeny?: string[] | undefined;
  stdin?: true | undefined;
  pty?: true | undefined;
  wait?: string | undefined;
}

/** The environment of the caller, and the given options of `run`. */
export interface StartContext {
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Default: all arguments are strings. */
  inherited?: Inherited;
  umask?: number | undefined;
  openFiles?: number | undefined;
  options: Record<string, unknown>;
}

/** Detects a shell line that was given as one argument. */
function checkProgram(argv: readonly string[], cwd: string): void {
  const [only = ''] = argv;
  if (argv.length !== 1 || !/[\s;&|<>$`*?(){}]/.test(only) || fs.existsSync(path.resolve(cwd, only))) return;
  throw new Failure(
    'command-not-found',
    `there is no program ${JSON.stringify(only)}`,
    `for a shell line use: unstuck start --shell ${JSON.stringify(only)}`,
  );
}

/** `cwd`: null: the command is for another place. */
function readCommand(
  argv: readonly string[],
  shell: string | undefined,
  cwd: string | null,
): string | string[] {
  if (shell !== undefined && argv.length > 0) {
    throw new Failure(
      'bad-input',
      `--shell cannot be combined with a command: ${JSON.stringify(argv[0])}`,
      'put the whole line in quotes after --shell, or leave out --shell',
    );
  }
  if (shell !== undefined ? shell.trim() === '' : argv.length === 0 || argv[0] === '') {
    throw new Failure(
      'bad-input',
      'no command given',
      `give a command: unstuck start -- npm run dev, or unstuck start --shell 'npm run build && npm test'`,
    );
  }
  if (shell !== undefined) return shell;
  if (cwd !== null) checkProgram(argv, cwd);
  return [...argv];
}

export function readVariables(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at > 0) return [pair.slice(0, at), pair.slice(at + 1)];
      // Not shown: it may be a secret.
      throw new Failure(
        'bad-input',
        `--env number ${pairs.indexOf(pair) + 1} is not NAME=VALUE`,
        'write it like this: --env PORT=3000',
      );
    }),
  );
}

export const defined = (env: NodeJS.ProcessEnv) =>
  Object.fromEntries(Object.entries(env).filter((pair): pair is [string, string] => pair[1] !== undefined));

/** The input of the operation, from the command line. */
export function startInput(
  argv: readonly string[],
  flags: StartFlags,
  { cwd, env, inherited = nothingInherited, umask, openFiles, options }: StartContext,
): OperationInput<'start'> {
  const { task, owner, host, on } = flags;
  const bytes = commandOfBytes(argv, inherited);
  const label = flags.label ?? bytes?.label;
  const place = path.resolve(cwd, flags.cwd ?? '');
  const notify = readWishes(flags, cwd);
  const lease = readLease(flags);
  const restart = readRestart(flags);
  return {
    ...(on !== undefined && { on }),
    ...(host === undefined && { inherit: defined(env) }),
    // Directory and programs of this machine mean nothing on another one.
    ...(host === undefined && on === undefined
      ? { command: bytes?.command ?? readCommand(argv, flags.shell, place), cwd: place }
      : {
          command: bytes?.command ?? readCommand(argv, flags.shell, null),
          ...(flags.cwd !== undefined && { cwd: flags.cwd }),
        }),
    env: readVariables(flags.env ?? []),
    ...(umask !== undefined && host === undefined && { umask }),
    ...(openFiles !== undefined && host === undefined && { openFiles }),
    envDeny: flags.envDeny ?? [],
    ...(label !== undefined && { label }),
    ...(task !== undefined && { task }),
    ...(owner !== undefined && { owner }),
    tags: flags.tag ?? [],
    input: flags.pty ? 'pty' : flags.stdin ? 'pipe' : 'none',
    options,
    ...(notify !== undefined && { notify }),
    ...(lease !== undefined && { lease }),
    ...(restart !== undefined && { restart }),
    waitS: flags.wait === undefined ? 0 : readDuration('--wait', flags.wait, 0, waitMsMax) / 1000,
  };
}
