import { Argument, type Command } from '@commander-js/extra-typings';
import { addBackgroundCommands } from './commands/background-commands.js';
import { addDaemonCommand } from './commands/daemon/command.js';
import { addMcpCommand } from './commands/mcp/command.js';
import { addOrphansCommand } from './commands/orphans/command.js';
import { addRunCommand } from './commands/run/command.js';
import { addWhyCommand } from './commands/why/command.js';
import { newProgram } from './shared/new-program.js';

/** Commands that need all options of run and start: they list or complete everything. */
const needsAllOptions = new Set(['', 'help', '-h', '--help', 'completion']);

/** The CLI: names, options and help only; each action is loaded when called. */
export function buildProgram(argv: readonly string[] = process.argv): Command {
  const program = newProgram();

  const [, , asked = ''] = argv;
  const needsOptions = (name: string) => asked === name || needsAllOptions.has(asked);
  program.commandsGroup('One process or command:');
  addWhyCommand(program);
  addRunCommand(program, needsOptions('run'));

  program.commandsGroup('Runs in the background:');
  addBackgroundCommands(program, needsOptions('start'));
  addOrphansCommand(program);
  addDaemonCommand(program);

  program.commandsGroup('For agents:');
  addMcpCommand(program);

  program.commandsGroup('Unstuck itself:');

  program
    .command('demo')
    .description('explain three real programs, as an example')
    .option('--json', 'print the answers as one JSON object per line')
    .action(async (options) => {
      const { runDemo } = await import('./commands/demo/demo.js');
      await runDemo(options);
    });

  program
    .command('doctor')
    .description('check what Unstuck can see on this machine')
    .option('--json', 'print the findings as one JSON object')
    .action(async (options) => {
      const { runDoctor } = await import('./commands/doctor/doctor.js');
      await runDoctor(options);
    });

  program
    .command('config')
    .description('show every setting of run, its value and its source')
    .option('--json', 'print the settings as one JSON object')
    .option('--explain <key>', 'print everything about one setting, also what was overridden')
    .addHelpText(
      'after',
      `
In this order: flags, variables such as UNSTUCK_TIMEOUT, unstuck.json of the project (looked for
from here up to the directory with .git), ~/.config/unstuck/config.json, then the preset and the
defaults.

Examples:
  unstuck config                       every setting, its value and where it came from
  unstuck config --explain timeout     one of them: also what was overridden, and what it may be`,
    )
    .action(async (options) => {
      const { runConfig } = await import('./commands/config/config.js');
      runConfig(options);
    });

  program
    .command('completion')
    .description('print a shell completion script')
    .addArgument(new Argument('<shell>', 'which shell it is for').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'after',
      `
Examples:
  source <(unstuck completion bash)     in ~/.bashrc
  source <(unstuck completion zsh)      in ~/.zshrc, after compinit
  unstuck completion fish | source      in ~/.config/fish/config.fish`,
    )
    .action(async (shell) => {
      const { runCompletion } = await import('./completion/completion.js');
      runCompletion(shell, program);
    });

  // Used by the completion scripts only.
  program
    .command('complete-ids', { hidden: true })
    .argument('<which>')
    .argument('[word]')
    .action(async (which, word) => {
      const { runCompleteIds } = await import('./completion/complete-ids.js');
      runCompleteIds(which, word ?? '');
    });

  program.helpCommand('help [command]', 'print the help of a command');
  return program;
}
