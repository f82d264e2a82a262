import { expect, test } from 'vitest';
import { buildProgram } from '../../src/cli/program.js';
import { helpOf } from './help-of.js';

const names = buildProgram(['node', 'unstuck']).commands.map((command) => command.name());

test.each(['', ...names])('the help of unstuck %s is the recorded help', (name) => {
  expect(helpOf(name)).toMatchSnapshot();
});
