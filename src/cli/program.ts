import type { Command } from '@commander-js/extra-typings';
import { commandGroups } from './commands/table.js';
import { newProgram } from './shared/new-program.js';

/** Commands that need all options of run and start: they list or complete everything. */
const needsAllOptions = new Set(['', 'help', '-h', '--help', 'completion']);

/** The CLI: names, options and help only; each action is loaded when called. */
export function buildProgram(argv: readonly string[] = process.argv): Command {
  const program = newProgram();
  const [, , asked = ''] = argv;
  const isAsked = (name: string) => asked === name || needsAllOptions.has(asked);
  for (const [heading, commands] of Object.entries(commandGroups)) {
    program.commandsGroup(heading);
    for (const [name, add] of Object.entries(commands)) add(program, isAsked(name));
  }
  program.helpCommand('help [command]', 'print the help of a command');
  if (asked === '') program.action(() => program.outputHelp());
  return program;
}
