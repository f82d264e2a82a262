import { expect, test } from 'vitest';
import { runCli } from '../support/run-cli.js';

test.each([[['--help']], [['why', '--help']], [['doctor', '--help']], [['demo', '--help']]])(
  'I5 the help of %j says what it did when it was written',
  async (args) => {
    const { code, stdout } = await runCli(args, { COLUMNS: '100' });
    expect(code).toBe(0);
    expect(stdout).toMatchSnapshot();
  },
);

test('J4 --version prints the version and nothing else', async () => {
  const { code, stdout } = await runCli(['--version']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});
