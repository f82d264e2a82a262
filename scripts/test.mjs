// `npm test`: everything a fresh clone needs, then every check. `npm test -- foo` runs only the tests named foo.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from './build.mjs';
import { asNormalUser } from './normal-user.mjs';
import { Problem } from './problem.mjs';
import { interruptGently, runCommand, wasInterrupted } from './run-command.mjs';
import { runMain } from './run-main.mjs';
import { runVitest } from './run-vitest.mjs';
import { ensureInstalled } from './setup.mjs';
import { withSetupLock } from './setup-lock.mjs';
import { installTestTools } from './test-tools.mjs';

/** @typedef {import('./run-vitest.mjs').Tally} Tally */

const root = resolve(import.meta.dirname, '..');
const checkMaxMs = 5 * 60 * 1000;

/** `built`: it needs the build. */
const checks = [
  { title: 'types', argv: ['node_modules/.bin/tsc', '--noEmit'] },
  { title: 'types of the page', argv: ['node_modules/.bin/tsc', '--noEmit', '-p', 'web'] },
  { title: 'lint and format', argv: ['node_modules/.bin/biome', 'check'] },
  { title: 'layers', argv: [process.execPath, 'scripts/check-layers.mjs'] },
  { title: 'unused code', argv: ['node_modules/.bin/knip', '--no-config-hints'] },
  { title: 'package', argv: ['node_modules/.bin/publint', '--pack=false', '--strict'], built: true },
];

/** Real processes, but nothing in them depends on who runs them: once is enough, and time is short. */
const sameForEverybody = [
  'test/bench/**',
  'test/cli/*.kernel.test.ts',
  'test/cli/commands/*.kernel.test.ts',
  'test/cli/commands/!(run)/**',
  'test/cli/commands/run/{agent,dumb-terminal,ending,fed,health,history,project-limits}.kernel.test.ts',
  'test/cli/commands/run/{reports,retry,rough,screens,slow-pattern,terminal,transparent}.kernel.test.ts',
  'test/control/{follow-notices,shared-signal}.kernel.test.ts',
  'test/control/background/{kill-many,notices,operations,outcomes,pause,restart,survives,wait-many}.kernel.test.ts',
  'test/control/client/**',
  'test/control/fleet/**',
  'test/control/watchdog/**',
  'test/daemon/**',
  'test/docs/**',
  'test/examples/**',
  'test/fleet/**',
  'test/mcp/**',
  'test/notices/**',
  'test/package/**',
  'test/probe/linux/bad-input.kernel.test.ts',
  'test/probe/portable/**',
  'test/registry/**',
  'test/run/input/**',
  'test/run/launch/**',
  'test/run/stop/{ending,forward,many,stacks,storm}.kernel.test.ts',
  'test/scripts/**',
  'test/store/notices/notice-log-killed.kernel.test.ts',
  'test/support/**',
  'test/watchdog/{races,telemetry}.kernel.test.ts',
  'test/web/**',
];

await runMain(import.meta, async () => {
  const filter = process.argv.slice(2);
  heading('packages');
  await ensureInstalled(root);
  interruptGently();
  const scratch = mkdtempSync(join(tmpdir(), 'unstuck-test-'));
  try {
    const tallies = await (filter.length > 0 ? runFiltered(scratch, filter) : runEverything(scratch));
    summarize(tallies);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
});

/**
 * @param {string} scratch
 * @param {string[]} filter
 * @returns {Promise<Tally[]>}
 */
async function runFiltered(scratch, filter) {
  const built = await runBuild({ types: !existsSync(join(root, 'dist/types')) });
  if (built.failed > 0) return [built];
  heading('tests');
  return [await runVitest({ root, scratch, args: filter })];
}

/**
 * @param {string} scratch
 * @returns {Promise<Tally[]>}
 */
async function runEverything(scratch) {
  // They go on while tools are installed, which is mostly waiting.
  const early = checks.filter(({ built }) => !built).map(startCheck);
  heading('test tools');
  installTestTools();
  const tallies = [await runBuild({ types: true })];
  const built = tallies.every(({ failed }) => failed === 0);
  const late = checks.filter((check) => check.built).map(startCheck);
  for (const check of [...early, ...late]) tallies.push(await check());
  if (!built) return tallies;
  const isRoot = process.getuid?.() === 0;
  heading(isRoot ? 'tests, as root' : 'tests');
  tallies.push(
    await runVitest({ root, scratch, args: [], env: { ...process.env, UNSTUCK_TEST_BUILT: '1' } }),
  );
  if (isRoot) tallies.push(await runAsNormalUser());
  return tallies;
}

/**
 * Starts a check. The returned function waits for its end and prints its output.
 * @param {{ title: string, argv: string[] }} check
 * @returns {() => Promise<Tally>}
 */
function startCheck({ title, argv }) {
  let output = '';
  const print = (/** @type {string} */ text) => {
    output += text;
  };
  const ended = runCommand(argv, { cwd: root, timeoutMs: checkMaxMs, print }).catch((error) => {
    print(`${error.message}\n`);
    return false;
  });
  return async () => {
    const succeeded = await ended;
    heading(title);
    process.stdout.write(output);
    return outcome(succeeded ? [] : [`${title}: ${argv.slice(-2).join(' ')}`]);
  };
}

/** @param {{ types: boolean }} options */
async function runBuild(options) {
  heading('build');
  try {
    await withSetupLock(root, () => build(root, options));
    return outcome([]);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    console.log(`${error.message}\nhint: ${error.hint}`);
    return outcome([`build: ${error.message}`]);
  }
}

/** Only the tests that touch real processes: the others do not depend on who runs them. */
async function runAsNormalUser() {
  heading('tests on real processes, as a normal user');
  if (wasInterrupted()) return outcome([]);
  const run = await asNormalUser(root, (place) => {
    console.log(`as ${place.user.name} (uid ${place.user.uid}) in ${place.root}`);
    const args = sameForEverybody.map((file) => `--exclude=${file}`);
    const env = { ...place.env, UNSTUCK_TEST_SECOND_PASS: '1' };
    return runVitest({ ...place, env, args: ['--project=kernel', '--passWithNoTests', ...args] });
  });
  if ('result' in run) return run.result;
  console.log(`warning: not run: ${run.whyNot}`);
  return outcome([]);
}

/**
 * @param {string[]} failures
 * @returns {Tally}
 */
function outcome(failures) {
  return { passed: 0, failed: failures.length, skipped: 0, failures };
}

/** @param {Tally[]} tallies */
function summarize(tallies) {
  heading('result');
  if (wasInterrupted()) tallies.push(outcome(['interrupted']));
  for (const failure of tallies.flatMap(({ failures }) => failures)) console.log(`failed: ${failure}`);
  /** @param {'passed' | 'failed' | 'skipped'} what */
  const total = (what) => tallies.reduce((sum, tally) => sum + tally[what], 0);
  console.log(`${total('passed')} passed, ${total('failed')} failed, ${total('skipped')} skipped`);
  process.exitCode = total('failed') > 0 ? 1 : 0;
}

/** @param {string} title */
function heading(title) {
  console.log(`\n== ${title} ==`);
}
