import fs from 'node:fs';
import path from 'node:path';
import type { OperationInput } from '../../control/operations/table.js';
import { waitMsMax } from '../../model/background.js';
import { Failure } from '../../model/failure.js';
import { readDuration } from '../read-duration.js';
import type { JsonFlag } from './call.js';
import { readWishes, type WishFlags } from './notices-wishes.js';
import { type LeaseFlags, readLease } from './start-lease.js';

export interface StartFlags extends JsonFlag, WishFlags, LeaseFlags {
  shell?: string | undefined;
  label?: string | undefined;
  task?: string | undefined;
  owner?: string | undefined;
  tag?: string[] | undefined;
  cwd?: string | undefined;
  env?: string[] | undefined;
  envDeny?: string[] | undefined;
  stdin?: true | undefined;
  pty?: true | undefined;
  wait?: string | undefined;
}

/** Who asks, and what of the options of `run` was typed. */
export interface StartContext {
  cwd: string;
  env: NodeJS.ProcessEnv;
  umask?: number | undefined;
  openFiles?: number | undefined;
  options: Record<string, unknown>;
}

/** One word that can only be meant for a shell. */
function checkProgram(words: readonly string[], cwd: string): void {
  const [only = ''] = words;
  if (words.length !== 1 || !/[\s;&|<>$`*?(){}]/.test(only) || fs.existsSync(path.resolve(cwd, only))) return;
  throw new Failure(
    'command-not-found',
    `there is no program ${JSON.stringify(only)}`,
    `a line for the shell is written: unstuck start --shell ${JSON.stringify(only)}`,
  );
}

function readCommand(words: readonly string[], shell: string | undefined, cwd: string): string | string[] {
  if (shell !== undefined && words.length > 0) {
    throw new Failure(
      'bad-input',
      `both --shell and a command were given: ${JSON.stringify(words[0])}`,
      'put the whole line in quotes behind --shell, or leave --shell out',
    );
  }
  if (shell !== undefined ? shell.trim() === '' : words.length === 0 || words[0] === '') {
    throw new Failure(
      'bad-input',
      'there is no command to start',
      `name one: unstuck start -- npm run dev, or unstuck start --shell 'npm run build && npm test'`,
    );
  }
  if (shell !== undefined) return shell;
  checkProgram(words, cwd);
  return [...words];
}

function readVariables(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at > 0) return [pair.slice(0, at), pair.slice(at + 1)];
      // Not shown whole: what was typed may be a secret.
      throw new Failure(
        'bad-input',
        `--env number ${pairs.indexOf(pair) + 1} is no NAME=VALUE`,
        'write it like this: --env PORT=3000',
      );
    }),
  );
}

const defined = (env: NodeJS.ProcessEnv) =>
  Object.fromEntries(Object.entries(env).filter((pair): pair is [string, string] => pair[1] !== undefined));

/** What was typed as the input of the operation. */
export function startInput(
  words: readonly string[],
  flags: StartFlags,
  { cwd, env, umask, openFiles, options }: StartContext,
): OperationInput<'start'> {
  const { label, task, owner } = flags;
  const place = path.resolve(cwd, flags.cwd ?? '');
  const notify = readWishes(flags, cwd);
  const lease = readLease(flags);
  return {
    command: readCommand(words, flags.shell, place),
    cwd: place,
    env: readVariables(flags.env ?? []),
    inherit: defined(env),
    ...(umask !== undefined && { umask }),
    ...(openFiles !== undefined && { openFiles }),
    envDeny: flags.envDeny ?? [],
    ...(label !== undefined && { label }),
    ...(task !== undefined && { task }),
    ...(owner !== undefined && { owner }),
    tags: flags.tag ?? [],
    input: flags.pty ? 'pty' : flags.stdin ? 'pipe' : 'none',
    options,
    ...(notify !== undefined && { notify }),
    ...(lease !== undefined && { lease }),
    waitS: flags.wait === undefined ? 0 : readDuration('--wait', flags.wait, 0, waitMsMax) / 1000,
  };
}
