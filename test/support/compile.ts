import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Case } from '../fixtures/cases/case.js';
import { findTool, fixturePath } from './find-tool.js';
import { missingFeature } from './missing-feature.js';

const compileMsMax = 180_000;
export const programsDir = fileURLToPath(new URL('../fixtures/programs', import.meta.url));
/** Programs that only the hang benchmark starts. */
export const benchProgramsDir = fileURLToPath(new URL('../../bench/hangs/programs', import.meta.url));

interface Language {
  extension: string;
  compiler: string;
  args(source: string, out: string): string[];
}

// One product per program: a file, for Java a directory of classes.
const languages: Language[] = [
  { extension: '.c', compiler: 'gcc', args: (source, out) => ['-O1', '-g', '-pthread', '-o', out, source] },
  {
    extension: '.cc',
    compiler: 'g++',
    args: (source, out) => ['-std=c++20', '-O1', '-g', '-pthread', '-o', out, source],
  },
  { extension: '.rs', compiler: 'rustc', args: (source, out) => ['--edition', '2021', '-o', out, source] },
  { extension: '.go', compiler: 'go', args: (source, out) => ['build', '-o', out, source] },
  { extension: '.java', compiler: 'javac', args: (source, out) => ['-d', out, source] },
];

interface Plan {
  source: string;
  out: string;
  language: Language;
}

function cacheDir(): string {
  const beside = fileURLToPath(new URL('../.bin', import.meta.url));
  try {
    mkdirSync(beside, { recursive: true });
    accessSync(beside, constants.W_OK);
    return beside;
  } catch {
    return join(tmpdir(), `unstuck-test-bin-${userInfo().uid}`);
  }
}

function plan(program: string): Plan {
  for (const language of languages) {
    const source = [programsDir, benchProgramsDir]
      .map((dir) => join(dir, program + language.extension))
      .find(existsSync);
    if (source === undefined) continue;
    const recipe = [language.compiler, ...language.args('', ''), readFileSync(source, 'utf8')].join('\0');
    const key = createHash('sha256').update(recipe).digest('hex').slice(0, 12);
    const shipped = join(fileURLToPath(new URL('../.bin', import.meta.url)), key, program);
    return { source, language, out: existsSync(shipped) ? shipped : join(cacheDir(), key, program) };
  }
  throw new Error(`no source for {bin}/${program} in ${programsDir} and ${benchProgramsDir}`);
}

async function build({ source, out, language }: Plan): Promise<void> {
  const made = `${out}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  mkdirSync(join(out, '..'), { recursive: true });
  const env = {
    ...process.env,
    PATH: fixturePath,
    GO111MODULE: 'off',
    GOCACHE: join(cacheDir(), 'go-cache'),
    GOFLAGS: '-p=1',
  };
  await promisify(execFile)(language.compiler, language.args(source, made), { env, timeout: compileMsMax });
  try {
    renameSync(made, out);
  } catch (error) {
    // Another worker was first with a directory of classes: its product is as good as ours.
    rmSync(made, { recursive: true, force: true });
    if (!existsSync(out)) throw error;
  }
}

const building = new Map<string, Promise<void>>();

/** Path of a compiled fixture program, compiled at most once per source text; safe beside other test workers. */
export async function compile(program: string): Promise<string> {
  const wanted = plan(program);
  if (existsSync(wanted.out)) return wanted.out;
  const running = building.get(wanted.out) ?? build(wanted);
  building.set(wanted.out, running);
  await running;
  return wanted.out;
}

/** The compiled programs an argv speaks of: 'x' for each '{bin}/x'. */
export function programsIn(argv: string[]): string[] {
  return argv.flatMap((arg) => [...arg.matchAll(/\{bin\}\/([\w-]+)/g)].map((match) => match[1] ?? ''));
}

const launchers: Record<Case['stdin'], string[]> = {
  null: [],
  socket: [],
  pipe: ['in-pipe'],
  pty: ['in-pty'],
};

/** Why this case cannot run here, or null. */
export function available(c: Case): string | null {
  if (process.platform !== 'linux') return 'Linux only';
  if (c.rootOnly && process.getuid?.() !== 0) return `root only: ${c.rootOnly}`;
  const feature = missingFeature(c.kernel ?? []);
  if (feature) return `the kernel offers no ${feature} here`;
  const argvs = [c.run, ...(c.outside ? [c.outside] : [])];
  const commands = argvs.map((argv) => argv[0] ?? '').filter((command) => !command.includes('/'));
  const programs = [...argvs.flatMap(programsIn), ...launchers[c.stdin]];
  const compilers = programs
    .map(plan)
    .filter((p) => !existsSync(p.out))
    .map((p) => p.language.compiler);
  const missing = [...commands, ...(c.needs ?? []), ...compilers].find((tool) => findTool(tool) === null);
  return missing === undefined ? null : `${basename(missing)} is not installed`;
}
