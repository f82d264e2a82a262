import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { readRunArgv } from '../../../../src/cli/commands/run/argv.js';
import { buildProgram } from '../../../../src/cli/program.js';
import { flagOf } from '../../../../src/config/option.js';
import { options } from '../../../../src/config/options.js';

/** What the parser of the whole command line makes of the same words. */
async function readByCommander(words: readonly string[]): Promise<ReturnType<typeof readRunArgv>> {
  const program = buildProgram(['node', 'unstuck', 'run']);
  const run = program.commands.find((command) => command.name() === 'run');
  let read: ReturnType<typeof readRunArgv> = null;
  run?.action((...args: unknown[]) => {
    const [command] = args as [string[]];
    const given = options.filter(({ key }) => run.getOptionValueSource(key) === 'cli');
    read = { command, flags: Object.fromEntries(given.map(({ key }) => [key, run.getOptionValue(key)])) };
  });
  await program.parseAsync(['node', 'unstuck', 'run', ...words]);
  return read;
}

const flags = options.flatMap((row) => {
  const flag = flagOf(row);
  return row.kind === 'boolean' ? [flag, flag.replace('--', '--no-')] : [flag, `${flag}=5s`, `${flag}=`];
});

const word = fc.oneof(
  fc.constantFrom(...flags),
  fc.constantFrom('--', '-', '-x', '5s', 'npm', 'test', '--watch', 'a=b', ''),
);

describe('the arguments after run', () => {
  it.each([
    [['--', 'npm', 'test'], { command: ['npm', 'test'], flags: {} }],
    [['npm', '--version'], { command: ['npm', '--version'], flags: {} }],
    [
      ['--timeout', '5s', '--json', 'x', '--json'],
      { command: ['x', '--json'], flags: { timeout: '5s', json: true } },
    ],
    [
      ['--phase', 'a=b', '--phase=c=d', '--no-quiet-env', '--', '--', 'x'],
      { command: ['--', 'x'], flags: { phase: ['a=b', 'c=d'], quietEnv: false } },
    ],
  ])('%j', (words, read) => {
    expect(readRunArgv(words)).toEqual(read);
  });

  it.each([[[]], [['--']], [['--help']], [['-h', 'x']], [['--timeuot', '5s', 'x']], [['--timeout']]])(
    '%j is for the parser that explains',
    (words) => {
      expect(readRunArgv(words)).toBeNull();
    },
  );

  test.prop([fc.array(word, { maxLength: 8 })])('both ways of reading agree', async (words) => {
    const read = readRunArgv(words);
    if (read !== null) expect(read).toEqual(await readByCommander(words));
  });
});
