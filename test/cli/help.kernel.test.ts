import { expect, test } from 'vitest';
import { runCli } from '../support/run-cli.js';
import { helpOf } from './help-of.js';

test('`help run` and `run --help` print the help of run and succeed; `--help` prints that of all', async () => {
  const [short, long, all] = await Promise.all(
    [['help', 'run'], ['run', '--help'], ['--help']].map((words) => runCli(words)),
  );
  expect(short).toEqual({ code: 0, stdout: helpOf('run'), stderr: '' });
  expect(long).toEqual(short);
  expect(all).toEqual({ code: 0, stdout: helpOf(''), stderr: '' });
});

test.each<[string, string[], string, string]>([
  [
    'an option',
    ['run', '--timout', '5s', 'true'],
    "unknown option '--timout'",
    'did you mean --timeout? see unstuck run --help',
  ],
  ['a command', ['rnu', 'true'], "unknown command 'rnu'", 'did you mean run? see unstuck --help'],
  [
    'a command of a command',
    ['daemon', 'stpo'],
    "unknown command 'stpo'",
    'did you mean stop? see unstuck daemon --help',
  ],
  ['no command', ['run', '--timeout', '5s'], 'no command given', 'give a command: unstuck run -- npm test'],
  ['no id', ['poll'], 'no run given', 'give a run id: unstuck poll ID; list them: unstuck ps'],
  [
    'a missing value',
    ['run', '--timeout'],
    '--timeout needs a value: --timeout <duration>',
    'see unstuck run --help',
  ],
  [
    'a shell',
    ['completion', 'tcsh'],
    'the shell is "tcsh", which is not one of bash, zsh, fish',
    'choose one of them',
  ],
  [
    'a probe',
    ['why', '1', '--probe', 'x'],
    '--probe is "x", which is not one of linux, portable',
    'choose one of them',
  ],
  [
    'a text without quotes',
    ['submit', '7c1e', 'two', 'words'],
    'unstuck submit takes no more than ID and TEXT',
    "put a text with spaces in quotes: unstuck submit ID 'two words'",
  ],
  [
    'an agent',
    ['mcp', '--print-config', 'x'],
    '--print-config is "x", which is not one of claude, codex, gemini, vscode, cursor',
    'choose one of them',
  ],
  ['an empty id', ['log', ''], 'an empty text is neither a run id nor a label', 'list them: unstuck ps'],
])('an error about %s has a message, what to type next and exit code 125', async (_, args, message, hint) => {
  expect(await runCli(args)).toEqual({
    code: 125,
    stdout: '',
    stderr: `unstuck: ${message}\nhint: ${hint}\n`,
  });
});

test('with --json a wrong argument is a JSON object, too; a --json behind -- does not count', async () => {
  const [ours, theirs] = await Promise.all([
    runCli(['why', '1', '--jsn', '--json']),
    runCli(['run', '--timout', '5s', '--', 'x', '--json']),
  ]);
  expect({ ...ours, stdout: JSON.parse(ours.stdout) }).toEqual({
    code: 125,
    stdout: {
      version: 1,
      error: {
        code: 'bad-input',
        message: "unknown option '--jsn'",
        hint: 'did you mean --json? see unstuck why --help',
      },
    },
    stderr: '',
  });
  expect(theirs).toMatchObject({ code: 125, stdout: '' });
});

test('all bad values of a run are reported at once, and nothing is run', async () => {
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
])('what comes after the command belongs to it: %s', async (_, before) => {
  const words = ['--timeout', 'x', '--', '-h', '--version', '--'];
  const { code, stdout } = await runCli(['run', ...before, ...words]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: words.map((word) => `${word}|`).join('') });
});

test('--version prints the version and nothing else', async () => {
  const { code, stdout } = await runCli(['--version']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});
