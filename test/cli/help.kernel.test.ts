import { expect, test } from 'vitest';
import { runCli } from '../support/run-cli.js';

test.each([
  [['--help']],
  [['run', '--help']],
  [['why', '--help']],
  [['doctor', '--help']],
  [['demo', '--help']],
  [['config', '--help']],
  [['completion', '--help']],
  [['start', '--help']],
  [['list', '--help']],
  [['ps', '--help']],
  [['poll', '--help']],
  [['log', '--help']],
  [['wait', '--help']],
  [['notices', '--help']],
  [['write', '--help']],
  [['submit', '--help']],
  [['close', '--help']],
  [['attach', '--help']],
  [['kill', '--help']],
  [['orphans', '--help']],
  [['mcp', '--help']],
])('I5 the help of %j says what it did when it was written', async (args) => {
  const { code, stdout } = await runCli(args, { COLUMNS: '100' });
  expect(code).toBe(0);
  expect(stdout).toMatchSnapshot();
});

test('I5 `help run` is `run --help`', async () => {
  const [short, long] = await Promise.all([runCli(['help', 'run']), runCli(['run', '--help'])]);
  expect(short.stdout).toBe(long.stdout);
});

test.each<[string, string[], RegExp]>([
  ['an option', ['run', '--timout', '5s', 'true'], /unknown option '--timout'\n\(Did you mean --timeout\?\)/],
  ['a command', ['rnu', 'true'], /unknown command 'rnu'\n\(Did you mean run\?\)/],
  ['no command', ['run', '--timeout', '5s'], /missing required argument 'command'/],
  ['a missing value', ['run', '--timeout'], /option '--timeout <duration>' argument missing/],
  ['a shell', ['completion', 'tcsh'], /'tcsh' is invalid.*Allowed choices are bash, zsh, fish/],
  ['a probe', ['why', '1', '--probe', 'x'], /'--probe <name>' argument 'x' is invalid.*linux, portable/],
])('I5 what is wrong with %s is said in words, exit code 125', async (_, args, message) => {
  const { code, stdout, stderr } = await runCli(args);
  expect({ code, stdout }).toEqual({ code: 125, stdout: '' });
  expect(stderr).toMatch(message);
  expect(stderr).toMatch(/^unstuck: .+\nhint: see unstuck .*--help\n$/s);
});

test('I5 all bad values of a run are reported at once, and nothing is run', async () => {
  const { code, stdout, stderr } = await runCli(
    ['run', '--kill-on', 'certian', '--cpu=lots', '--', 'echo', 'it ran'],
    { UNSTUCK_TIMEOUT: 'soon' },
  );
  expect({ code, stdout }).toEqual({ code: 125, stdout: '' });
  for (const part of [
    '--kill-on is "certian", which is not one of never, certain, high, medium (did you mean certain?)',
    '--cpu is "lots", which is not a number from 0 to 100000',
    'UNSTUCK_TIMEOUT is "soon", which is not a duration from 0 to 24d',
  ])
    expect(stderr).toContain(part);
});

test.each([
  ['with --', ['--heartbeat', '0', '--', 'printf', '%s|']],
  ['without', ['--heartbeat=0', 'printf', '%s|']],
])('B1 what comes after the command belongs to it: %s', async (_, before) => {
  const words = ['--timeout', 'x', '--', '-h', '--version', '--'];
  const { code, stdout } = await runCli(['run', ...before, ...words]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: words.map((word) => `${word}|`).join('') });
});

test('J4 --version prints the version and nothing else', async () => {
  const { code, stdout } = await runCli(['--version']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});
