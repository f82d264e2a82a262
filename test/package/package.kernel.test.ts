import { execFile, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readStamp } from '../../scripts/build-stamp.mjs';
import { BackgroundHome } from '../support/background-home.js';
import { removeDirectory } from '../support/remove-directory.js';
import { testCommand } from './command.js';
import { Consumer, repository } from './packed.js';

let consumer: Consumer;

beforeAll(() => {
  consumer = new Consumer();
  const programs = path.join(repository, 'test/fixtures/programs/consumer');
  for (const name of fs.readdirSync(programs)) {
    consumer.write(name, fs.readFileSync(path.join(programs, name), 'utf8'));
  }
});
afterAll(() => consumer?.end());

const strict = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  skipLibCheck: false,
  noEmit: true,
  target: 'es2023',
  lib: ['es2023', 'esnext.disposable'],
  // Nothing is found by chance: what the declarations need, they name.
  types: [],
};

function compile(compilerOptions: object, files: string[]): string {
  consumer.write(
    'tsconfig.json',
    JSON.stringify({ compilerOptions: { ...strict, ...compilerOptions }, files }),
  );
  const tsc = path.join(repository, 'node_modules/typescript/bin/tsc');
  return spawnSync(process.execPath, [tsc, '-p', consumer.path], { encoding: 'utf8' }).stdout;
}

test('the packed package compiles in strict modules and CommonJS, and refuses wrong uses', () => {
  expect(compile({ module: 'nodenext' }, ['use.ts', 'common.cts'])).toBe('');
});

test('the packed package compiles in a strict project for a bundler', () => {
  expect(compile({ module: 'esnext', moduleResolution: 'bundler' }, ['use.ts'])).toBe('');
});

test('the packed package is under 2.2 MB, with the MCP server once, man pages, and nothing made for one Node', () => {
  const pack = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: repository,
    encoding: 'utf8',
  });
  // Chunks of earlier builds stay in a checkout for a while; a real package is built without them.
  const chunks = readStamp(repository)?.chunks ?? [];
  const files: string[] = JSON.parse(pack.stdout)[0]
    .files.map((file: { path: string }) => file.path)
    .filter(
      (name: string) => !name.startsWith('dist/chunks/') || chunks.includes(name.slice('dist/'.length)),
    );
  const tar = spawnSync('tar', ['-cz', '-C', repository, ...files], { maxBuffer: 32 * 1024 * 1024 });
  expect(tar.stdout.length).toBeLessThan(2_200_000);
  expect(files.filter((name) => name.endsWith('.cache'))).toEqual([]);
  expect(files).toEqual(expect.arrayContaining(['dist/man/unstuck-run.1', 'docs/why.md']));
  const holders = files.filter(
    (name) =>
      /\.c?js$/.test(name) &&
      fs.readFileSync(path.join(repository, name), 'utf8').includes('notifications/initialized'),
  );
  expect(holders).toHaveLength(1);
});

test('Windows is refused with a sentence', () => {
  const cli = path.join(consumer.path, 'node_modules/unstuck/dist/cli.cjs');
  const pretend = consumer.write(
    'windows.cjs',
    "Object.defineProperty(process, 'platform', { value: 'win32' });",
  );
  const { status, stderr } = spawnSync(process.execPath, ['--require', pretend, cli, 'why', '1'], {
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({
    status: 125,
    stderr: 'unstuck: Windows is not supported\nhint: use it inside of WSL, which is Linux\n',
  });
  const program = consumer.write(
    'refused.mjs',
    "import { why, run, background } from 'unstuck'; for (const call of [() => why(1), () => run(['x']), () => background.list()]) await call().catch((error) => console.log(error.code));",
  );
  const env = { ...process.env, UNSTUCK_HOME: path.join(consumer.path, 'no-home') };
  const library = spawnSync(process.execPath, ['--require', pretend, program], { encoding: 'utf8', env });
  expect(library.stdout).toBe('unsupported\n'.repeat(3));
});

test('the packed package can be required, and is then the same module as when imported', () => {
  const program = consumer.write(
    'require.cjs',
    "const { Failure } = require('unstuck'); import('unstuck').then((m) => console.log(m.Failure === Failure));",
  );
  const { stdout, stderr } = spawnSync(process.execPath, [program], { encoding: 'utf8' });
  expect({ stdout, stderr }).toEqual({ stdout: 'true\n', stderr: '' });
});

describe('a program that was bundled with the library', () => {
  const program = `import { background } from 'unstuck';
    const { id } = await background.start({ command: ['sh', '-c', 'exit 7'] }).catch((error) => {
      console.log(error.code + ': ' + error.message + '; ' + error.hint);
      process.exit(3);
    });
    const { exit } = await background.wait({ id });
    console.log('exit ' + exit.code);
  `;
  let home: BackgroundHome;
  beforeEach(() => {
    home = new BackgroundHome();
  });
  afterEach(() => home.end());

  async function bundle(outfile: string, format: 'esm' | 'cjs'): Promise<string> {
    const entry = consumer.write(
      'program.ts',
      format === 'esm' ? program : `(async () => {${inCommonJs}})()`,
    );
    const file = path.join(consumer.path, outfile);
    await build({
      entryPoints: [entry],
      outfile: file,
      bundle: true,
      format,
      platform: 'node',
      logLevel: 'error',
    });
    return file;
  }
  const inCommonJs = program.replace(/^import (.*) from (.*);$/m, 'const $1 = require($2);');

  async function start(file: string, more: NodeJS.ProcessEnv = {}): Promise<string> {
    const { stdout } = await promisify(execFile)(process.execPath, [file], {
      env: { ...home.env, ...more },
    }).catch((error) => error);
    return stdout;
  }

  test.each([
    ['esm', 'dist/bundle.mjs'],
    ['cjs', 'dist/bundle.cjs'],
  ] as const)(
    'starts runs in the background (%s), and never takes a cli.cjs beside it for ours',
    async (format, file) => {
      const bundled = await bundle(file, format);
      const trap = path.join(consumer.path, 'trapped');
      const ownCli = `require('node:fs').writeFileSync(${JSON.stringify(trap)}, '')`;
      for (const place of ['dist/cli.cjs', 'cli.cjs']) consumer.write(place, ownCli);
      expect(await start(bundled)).toMatch(/^exit 7$/m);
      expect(fs.existsSync(trap)).toBe(false);
    },
  );

  test('reports how to name the command line where the package is not installed', async () => {
    const elsewhere = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-bundle-'));
    try {
      const bundled = path.join(elsewhere, 'bundle.mjs');
      fs.copyFileSync(await bundle('dist/bundle.mjs', 'esm'), bundled);
      expect(await start(bundled)).toMatch(/^no-daemon: .*bundled.*set UNSTUCK_CLI/);
      expect(await start(bundled, { UNSTUCK_CLI: '/nowhere/cli.cjs' })).toMatch(/^bad-config: UNSTUCK_CLI/);
      const cli = path.join(consumer.path, 'node_modules/unstuck/dist/cli.cjs');
      expect(await start(bundled, { UNSTUCK_CLI: cli })).toMatch(/^exit 7$/m);
    } finally {
      await removeDirectory(elsewhere);
    }
  });
});

describe('the command of the package', () => testCommand(() => consumer));
