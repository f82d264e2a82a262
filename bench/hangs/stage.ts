// Where one case plays: its directory, its environment, the helper outside of it.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { available, compile, programsDir, programsIn } from '../../test/support/compile.js';
import { fixturePath } from '../../test/support/find-tool.js';
import { readFirstLine } from '../../test/support/read-first-line.js';
import { markName, readIdentity } from '../../test/support/read-tree.js';
import { removeDirectory } from '../../test/support/remove-directory.js';
import { stopTree } from '../../test/support/stop-tree.js';
import type { HangCase } from './hang-case.js';
import type { Scale } from './scale.js';

const hangsDir = fileURLToPath(new URL('./programs', import.meta.url));
const rootDir = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

/** Eight minutes without an answer: longer than the silence, shorter than the patience. */
const lateMs = 8 * 60_000;

/** A database that is created beside eleven other cases takes its time. */
const outsideMsMax = 120_000;

export interface Stage {
  dir: string;
  /** Everything that is started has it in its environment. */
  mark: string;
  env: NodeJS.ProcessEnv;
  argv: string[];
}

function inCheckout(text: string): string {
  return text
    .replaceAll('{hangs}', hangsDir)
    .replaceAll('{programs}', programsDir)
    .replaceAll('{root}', rootDir);
}

/** Why a case cannot run here, or null. */
export function unavailable(c: HangCase): string | null {
  const files = (c.needs ?? []).map(inCheckout);
  const missing = files.find((need) => need.startsWith('/') && !existsSync(need));
  if (missing !== undefined) return `${missing.split('/').at(-1)} is not installed`;
  const needs = files.filter((need) => !need.startsWith('/'));
  // The benchmark has terminals of its own, so no launcher has to be compiled.
  return available({ ...c, about: c.why, needs, stdin: 'null' });
}

async function expand(argv: string[], dir: string, port: string, { factor }: Scale): Promise<string[]> {
  const programs = new Map<string, string>();
  for (const program of programsIn(argv)) programs.set(program, await compile(program));
  return argv.map((arg) =>
    inCheckout(arg)
      .replace(/\{bin\}\/([\w-]+)/g, (_, program: string) => programs.get(program) ?? program)
      .replaceAll('{tmp}', dir)
      .replaceAll('{port}', port)
      .replaceAll('{second}', String(Math.round(1000 / factor)))
      .replaceAll('{minute}', String(60 / factor))
      .replaceAll('{eight-minutes}', String(Math.round(lateMs / factor)))
      .replaceAll('{eight-minutes-in-seconds}', String(lateMs / 1000 / factor)),
  );
}

/** No variable of ours reaches a case, but those that find it again. */
function environment(mark: string, dir: string, extra: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return {
    PATH: fixturePath,
    HOME: dir,
    TMPDIR: dir,
    LANG: 'C.UTF-8',
    TERM: 'xterm',
    SHELL: '/bin/sh',
    GIT_CONFIG_NOSYSTEM: '1',
    // rustc is where the user has put it.
    RUSTUP_HOME: process.env.RUSTUP_HOME ?? join(homedir(), '.rustup'),
    UNSTUCK_HOME: join(dir, '.unstuck'),
    [markName]: mark,
    ...extra,
  };
}

/** Its first line, which is a port for most. */
function startOutside([file = '', ...args]: string[], dir: string, env: NodeJS.ProcessEnv): Promise<string> {
  const helper = spawn(file, args, { cwd: dir, env, detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  helper.once('error', () => {});
  return readFirstLine(helper, outsideMsMax);
}

/** Nobody in particular: all that has the mark and is younger than we are. On a loaded machine it may take two tries. */
async function endMarked(mark: string): Promise<void> {
  const everybody = { pid: -1, startTicks: readIdentity(process.pid).startTicks };
  await stopTree(mark, everybody).catch(() => stopTree(mark, everybody));
}

/** Sets a case up, lets it play, and leaves no process and no file of it behind. */
export async function withStage<Result>(
  c: HangCase,
  scale: Scale,
  { parent, env: extra }: { parent: string; env: NodeJS.ProcessEnv },
  play: (stage: Stage) => Promise<Result>,
): Promise<Result> {
  const mark = randomBytes(6).toString('hex');
  // Short: the whole path of a socket in it must fit into 107 bytes, wherever the checkout is.
  const dir = join(parent, mark);
  mkdirSync(dir, { mode: 0o711 });
  const env = environment(mark, dir, extra);
  // A mark of its own: the helper is no part of the run.
  const outsideMark = `${mark}-outside`;
  try {
    let port = '';
    if (c.outside) {
      const argv = await expand(c.outside, dir, '', scale);
      port = await startOutside(argv, dir, { ...env, [markName]: outsideMark });
    }
    return await play({ dir, mark, env, argv: await expand(c.run, dir, port, scale) });
  } finally {
    await endMarked(mark);
    if (c.outside) await endMarked(outsideMark);
    await removeDirectory(dir);
  }
}
