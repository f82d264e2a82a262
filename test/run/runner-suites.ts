import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestContext } from 'vitest';
import { findTool } from '../support/find-tool.js';
import { removeDirectory } from '../support/remove-directory.js';

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

/** A directory for one test, removed after it. */
function scratch(context: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'unstuck-suite-'));
  context.onTestFinished(() => removeDirectory(dir));
  return dir;
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
  'go test'(context: TestContext): Runner {
    const go = need(context, 'go');
    const file = join(scratch(context), 'hangs.test');
    const cwd = join(suites, 'go');
    execFileSync(go, ['test', '-c', '-o', file, '.'], { cwd, stdio: 'ignore', timeout: 120_000 });
    return { command: [file, '-test.timeout', '10m'] };
  },
  'cargo test'(context: TestContext): Runner {
    const rustc = need(context, 'rustc');
    const deps = join(scratch(context), 'deps');
    mkdirSync(deps);
    const file = join(deps, 'suite-0123456789abcdef');
    execFileSync(rustc, ['--edition', '2021', '--test', '-o', file, join(suites, 'rust/suite.rs')], {
      stdio: 'ignore',
      timeout: 120_000,
    });
    return { command: [file] };
  },
  junit(context: TestContext): Runner {
    const [java, javac] = [need(context, 'java'), need(context, 'javac')];
    if (!existsSync(junit)) context.skip('junit5 is not installed');
    const classes = scratch(context);
    execFileSync(javac, ['-cp', junit, '-d', classes, join(suites, 'java/ChosenTest.java')], {
      stdio: 'ignore',
      timeout: 120_000,
    });
    return { command: [java, '-jar', junit, '-cp', classes, '-c', 'ChosenTest'] };
  },
};
