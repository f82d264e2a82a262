import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Case } from '../fixtures/cases/case.js';
import { compile, programsDir, programsIn } from './compile.js';
import { fixturePath } from './find-tool.js';
import { readFirstLine } from './read-first-line.js';
import { markName, readIdentity } from './read-tree.js';
import { removeDirectory } from './remove-directory.js';
import { stopTree } from './stop-tree.js';
import { waitUntilSettled } from './wait-until-settled.js';

export interface Started {
  /** The process that was started. */
  pid: number;
  /** The process to ask about. */
  targetPid: number;
  /** Kills all of it, and the helper outside, and proves that nothing is left. */
  stop(): Promise<void>;
}

interface Stage {
  dir: string;
  log: string;
  port: string;
  stops: (() => Promise<void>)[];
}

function environment(mark: string, dir: string): NodeJS.ProcessEnv {
  return {
    PATH: fixturePath,
    HOME: dir,
    TMPDIR: dir,
    LANG: 'C.UTF-8',
    TERM: 'xterm',
    GIT_CONFIG_NOSYSTEM: '1',
    [markName]: mark,
    // Lets the test runner find what outlived a crashed worker.
    UNSTUCK_TEST_SESSION: process.env.UNSTUCK_TEST_SESSION,
  };
}

async function expand(argv: string[], stage: Stage): Promise<string[]> {
  const paths = new Map<string, string>();
  for (const program of programsIn(argv)) paths.set(program, await compile(program));
  return argv.map((arg) =>
    arg
      .replace(/\{bin\}\/([\w-]+)/g, (_, program: string) => paths.get(program) ?? program)
      .replaceAll('{programs}', programsDir)
      .replaceAll('{tmp}', stage.dir)
      .replaceAll('{port}', stage.port),
  );
}

function spawned(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('spawn', () => resolve(child.pid ?? -1));
  });
}

async function launch(
  c: Case,
  argv: string[],
  mark: string,
  stage: Stage,
): Promise<{ pid: number; helper: ChildProcess }> {
  const options = { cwd: stage.dir, env: environment(mark, stage.dir), detached: true };
  if (c.stdin === 'pipe' || c.stdin === 'pty') {
    // The launcher is no part of the tree: it has no mark, the command gets it from env(1).
    const launcher = await compile(`in-${c.stdin}`);
    const marked = ['env', `${markName}=${mark}`, ...argv];
    const plain = { ...options, env: { ...options.env, [markName]: `${mark}-launcher` } };
    const helper = spawn(launcher, ['-o', stage.log, ...marked], {
      ...plain,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const launched = readIdentity(await spawned(helper));
    stage.stops.push(() => stopTree(`${mark}-launcher`, launched));
    return { pid: Number(await readFirstLine(helper)), helper };
  }
  if (c.stdin === 'socket') {
    const helper = spawn(argv[0] ?? '', argv.slice(1), { ...options, stdio: 'pipe' });
    helper.stdout.resume();
    helper.stderr.resume();
    return { pid: await spawned(helper), helper };
  }
  const log = openSync(stage.log, 'a');
  try {
    const helper = spawn(argv[0] ?? '', argv.slice(1), { ...options, stdio: ['ignore', log, log] });
    return { pid: await spawned(helper), helper };
  } finally {
    closeSync(log);
  }
}

async function launchOutside(argv: string[], mark: string, stage: Stage): Promise<void> {
  const [file = '', ...args] = await expand(argv, stage);
  const env = environment(`${mark}-outside`, stage.dir);
  const helper = spawn(file, args, {
    cwd: stage.dir,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const identity = readIdentity(await spawned(helper));
  stage.stops.push(() => stopTree(`${mark}-outside`, identity));
  stage.port = await readFirstLine(helper);
}

// Last started, first stopped; one that fails does not keep the others alive.
async function stopAll(stage: Stage): Promise<void> {
  const failures: unknown[] = [];
  for (let next = stage.stops.pop(); next; next = stage.stops.pop()) {
    await next().catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

/** Starts a case in a session of its own and waits until it does what it is about. */
export async function startCase(c: Case): Promise<Started> {
  const mark = randomBytes(6).toString('hex');
  const dir = mkdtempSync(join(tmpdir(), 'unstuck-case-'));
  const stage: Stage = { dir, log: join(dir, 'output.log'), port: '', stops: [] };
  stage.stops.push(async () => removeDirectory(dir));
  try {
    if (c.outside) await launchOutside(c.outside, mark, stage);
    const argv = await expand(c.run, stage);
    const { pid, helper } = await launch(c, argv, mark, stage);
    const root = readIdentity(pid);
    helper.stdin?.on('error', () => {});
    stage.stops.push(async () => {
      await stopTree(mark, root);
      helper.stdin?.destroy();
    });
    const target = c.target === undefined || c.target === 'root' ? null : c.target;
    const targetPid = await waitUntilSettled({ mark, root, target, busy: c.busy ?? false });
    return { pid, targetPid, stop: () => stopAll(stage) };
  } catch (error) {
    const output = readOutput(stage.log);
    const left = await stopAll(stage).catch((survivors: unknown) => `\n${String(survivors)}`);
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(`case ${c.name}: ${message}${output}${left ?? ''}`, { cause: error });
  }
}

function readOutput(log: string): string {
  try {
    return `\nits output:\n${readFileSync(log, 'utf8').slice(-2000)}`;
  } catch {
    return '';
  }
}
