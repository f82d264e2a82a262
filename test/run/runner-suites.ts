import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestContext } from 'vitest';
import { compileOnce, runCompiler } from '../support/compile.js';
import { findTool } from '../support/find-tool.js';

export const suites = fileURLToPath(new URL('../fixtures/suites', import.meta.url));
const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));
const junit = '/usr/share/java/junit-platform-console-standalone.jar';

/** Not as a part of the test run that this file is in. */
const outside = Object.fromEntries(
  ['VITEST', 'VITEST_WORKER_ID', 'VITEST_POOL_ID', 'VITEST_MODE', 'NODE_ENV', 'TEST'].map((name) => [
    name,
    undefined,
  ]),
);

/** The command of one runner, made ready. A test is skipped with a reason where it cannot run. */
export interface Runner {
  command: string[];
  env?: NodeJS.ProcessEnv;
}

function succeeds(program: string, ...args: string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore', timeout: 60_000 });
    return true;
  } catch {
    return false;
  }
}

function need(context: TestContext, name: string): string {
  const file = findTool(name);
  if (file === null) context.skip(`${name} is not installed`);
  return file ?? '';
}

export const runners = {
  pytest(context: TestContext): Runner {
    const python = need(context, 'python3');
    if (!succeeds(python, '-c', 'import pytest')) context.skip('pytest is not installed');
    return { command: [python, '-m', 'pytest', '-p', 'no:cacheprovider', join(suites, 'test_hangs.py')] };
  },
  xdist(context: TestContext): Runner {
    const python = need(context, 'python3');
    if (!succeeds(python, '-c', 'import xdist')) context.skip('pytest-xdist is not installed');
    const file = join(suites, 'test_hangs.py');
    return { command: [python, '-m', 'pytest', '-p', 'no:cacheprovider', '-n', '2', file] };
  },
  'node --test'(): Runner {
    return { command: [process.execPath, '--test', join(suites, 'suite.spec.mjs')], env: outside };
  },
  vitest(): Runner {
    const command = [process.execPath, vitest, 'run', '--root', suites, 'suite.spec.mjs'];
    return { command, env: outside };
  },
  async 'go test'(context: TestContext): Promise<Runner> {
    const go = need(context, 'go');
    const cwd = join(suites, 'go');
    const sources = readdirSync(cwd).map((name) => join(cwd, name));
    const file = await compileOnce('hangs.test', sources, (made) =>
      runCompiler(go, ['test', '-c', '-o', made, '.'], { cwd, goModules: 'on' }),
    );
    return { command: [file, '-test.timeout', '10m'] };
  },
  async 'cargo test'(context: TestContext): Promise<Runner> {
    const rustc = need(context, 'rustc');
    const source = join(suites, 'rust/suite.rs');
    const name = 'suite-0123456789abcdef';
    const deps = await compileOnce('deps', [source], async (made) => {
      mkdirSync(made);
      await runCompiler(rustc, ['--edition', '2021', '--test', '-o', join(made, name), source]);
    });
    return { command: [join(deps, name)] };
  },
  async junit(context: TestContext): Promise<Runner> {
    const [java, javac] = [need(context, 'java'), need(context, 'javac')];
    if (!existsSync(junit)) context.skip('junit5 is not installed');
    const source = join(suites, 'java/ChosenTest.java');
    const classes = await compileOnce('classes', [source], (made) =>
      runCompiler(javac, ['-cp', junit, '-d', made, source]),
    );
    return { command: [java, '-jar', junit, '-cp', classes, '-c', 'ChosenTest'] };
  },
};
