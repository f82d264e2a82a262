import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { runCommand } from './run-command.mjs';
import { findSurvivors } from './survivors.mjs';

const vitestMaxMs = 30 * 60 * 1000;

/** @typedef {{ passed: number, failed: number, skipped: number, failures: string[] }} Tally */

/**
 * @param {{ root: string, scratch: string, args: string[], prefix?: string[], env?: NodeJS.ProcessEnv }} run
 *   `prefix` is what changes the user; `scratch` a directory where that user may write
 * @returns {Promise<Tally>}
 */
export async function runVitest({ root, scratch, args, prefix = [], env = process.env }) {
  const session = randomUUID();
  const report = join(scratch, `vitest-${session}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const vitest = [
    process.execPath,
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    ...reporters,
    ...args,
  ];
  const succeeded = await runCommand([...prefix, ...vitest], {
    cwd: root,
    env: { ...env, UNSTUCK_TEST_SESSION: session },
    timeoutMs: vitestMaxMs,
  });
  const tally = readTally(report, root);
  if (!succeeded && tally.failed === 0) fail(tally, 'vitest ended with an error');
  for (const survivor of await findSurvivors(session)) fail(tally, `outlived the tests: ${survivor}`);
  return tally;
}

/**
 * @param {string} report
 * @param {string} root
 * @returns {Tally}
 */
function readTally(report, root) {
  /** @type {Tally} */
  const tally = { passed: 0, failed: 0, skipped: 0, failures: [] };
  if (!existsSync(report)) return tally;
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(
    readFileSync(report, 'utf8'),
  );
  tally.passed = numPassedTests;
  tally.failed = numFailedTests;
  tally.skipped = numPendingTests + numTodoTests;
  for (const { name, status, message, assertionResults } of testResults) {
    // A file that cannot even be loaded has no test that failed.
    if (status === 'failed' && assertionResults.length === 0)
      fail(tally, `could not run ${name}: ${message}`);
    for (const test of assertionResults) {
      if (test.status === 'failed') tally.failures.push(describe(relative(root, name), test));
    }
  }
  return tally;
}

/**
 * The end of a long output alone must show what failed, and why.
 * @param {string} file
 * @param {{ fullName: string, failureMessages: string[] }} test
 */
function describe(file, { fullName, failureMessages }) {
  const lines = failureMessages.flatMap((message) => message.slice(0, 2000).split('\n'));
  const ours = lines.filter((line) => !line.includes('/node_modules/'));
  return [`${file}: ${fullName}`, ...ours].join('\n    ');
}

/**
 * @param {Tally} tally
 * @param {string} what
 */
function fail(tally, what) {
  tally.failed += 1;
  tally.failures.push(what);
}
