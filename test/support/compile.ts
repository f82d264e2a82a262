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

/** Where the product of this recipe is, or will be. */
function productOf(name: string, recipe: string[]): string {
  const key = createHash('sha256').update(recipe.join('\0')).digest('hex').slice(0, 12);
  const shipped = join(fileURLToPath(new URL('../.bin', import.meta.url)), key, name);
  return existsSync(shipped) ? shipped : join(cacheDir(), key, name);
}

function plan(program: string): Plan {
  for (const language of languages) {
    const source = [programsDir, benchProgramsDir]
      .map((dir) => join(dir, program + language.extension))
      .find(existsSync);
    if (source === undefined) continue;
    const recipe = [language.compiler, ...language.args('', ''), readFileSync(source, 'utf8')];
    return { source, language, out: productOf(program, recipe) };
  }
  throw new Error(`no source for {bin}/${program} in ${programsDir} and ${benchProgramsDir}`);
}

/** Runs a compiler. */
export async function runCompiler(
  file: string,
  args: string[],
  { cwd, goModules = 'off' }: { cwd?: string; goModules?: 'on' | 'off' } = {},
): Promise<void> {
  const env = {
    ...process.env,
    PATH: fixturePath,
    GO111MODULE: goModules,
    GOCACHE: join(cacheDir(), 'go-cache'),
    GOFLAGS: '-p=1',
  };
  await promisify(execFile)(file, args, { cwd, env, timeout: compileMsMax });
}

async function build(out: string, make: (made: string) => Promise<void>): Promise<void> {
  const made = `${out}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  mkdirSync(join(out, '..'), { recursive: true });
  await make(made);
  try {
    renameSync(made, out);
  } catch (error) {
    // Another worker was first with a directory: its product is as good as ours.
    rmSync(made, { recursive: true, force: true });
    if (!existsSync(out)) throw error;
  }
}

const building = new Map<string, Promise<void>>();

async function makeOnce(out: string, make: (made: string) => Promise<void>): Promise<string> {
  if (existsSync(out)) return out;
  const running = building.get(out) ?? build(out, make);
  building.set(out, running);
  await running;
  return out;
}

/** Path of a compiled fixture program, compiled at most once per source text; safe beside other test workers. */
export function compile(program: string): Promise<string> {
  const { source, language, out } = plan(program);
  return makeOnce(out, (made) => runCompiler(language.compiler, language.args(source, made)));
}

/** The same for what is no single program: `make` leaves it at the path that it is given. */
export function compileOnce(
  name: string,
  sources: string[],
  make: (made: string) => Promise<void>,
): Promise<string> {
  const texts = sources.map((source) => readFileSync(source, 'utf8'));
  return makeOnce(productOf(name, texts), make);
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
