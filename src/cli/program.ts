import { Argument, type Command, Option } from '@commander-js/extra-typings';
import { addBackgroundCommands } from './background-commands.js';
import { addDaemonCommand } from './daemon-command.js';
import { addMcpCommand } from './mcp-command.js';
import { newProgram } from './new-program.js';
import { addOrphansCommand } from './orphans-command.js';
import { addRunCommand } from './run-command.js';

/** Where their many options are needed besides: whatever lists or completes all there is. */
const needsAllOptions = new Set(['', 'help', '-h', '--help', 'completion']);

/** The command line: names, options and help only; every action is loaded when it is called. */
export function buildProgram(argv: readonly string[] = process.argv): Command {
  const program = newProgram();

  const [, , asked = ''] = argv;
  const needsOptions = (name: string) => asked === name || needsAllOptions.has(asked);
  addRunCommand(program as unknown as Command, needsOptions('run'));
  addBackgroundCommands(program as unknown as Command, needsOptions('start'));
  addOrphansCommand(program as unknown as Command);
  addDaemonCommand(program as unknown as Command);
  addMcpCommand(program as unknown as Command);

  program
    .command('why')
    .description('say what a process is doing or waiting for, and why')
    .argument('[pid-or-id]', 'the process to look at, with all its descendants, or a run in the background')
    .option('--json', 'print the answer as one JSON object')
    .option('--save <file>', 'also write the snapshot to a file, for a bug report or a test')
    .option('--from <file>', 'judge a saved snapshot instead of a living process')
    .option('--watch', 'look again and again and show what changed, until it ends or Ctrl-C')
    .option('--every <duration>', 'with --watch: time between looks, such as 500ms or 5s', '2s')
    .option('--gap <duration>', 'time between the two reads of one look', '80ms')
    .addOption(new Option('--probe <name>', 'where facts come from').choices(['linux', 'portable']))
    .addHelpText(
      'after',
      `
Nothing is stopped, signalled or slowed down by looking. A word of digits only is a process; a run whose id
begins like that is written run_1234.

Exit code: 0 with a verdict, 1 when the process or the run does not exist, 125 when Unstuck itself failed.

Examples:
  unstuck why 4371                     what is process 4371 waiting for
  unstuck why 7c1e                     the same of a run in the background
  unstuck why 4371 --json              the same, for a program
  unstuck why 4371 --watch             keep looking
  unstuck why 4371 --save hang.json    keep the evidence; judge it later with --from hang.json`,
    )
    .action(async (pid, options) => {
      const { runWhy } = await import('./why.js');
      await runWhy(pid, options);
    });

  program
    .command('doctor')
    .description('show what this machine lets Unstuck see, and what each missing right costs')
    .option('--json', 'print the findings as one JSON object')
    .action(async (options) => {
      const { runDoctor } = await import('./doctor.js');
      await runDoctor(options);
    });

  program
    .command('demo')
    .description('show three real programs, one working, one waiting for input, one deadlocked')
    .option('--json', 'print the answers as one JSON object per line')
    .action(async (options) => {
      const { runDemo } = await import('./demo.js');
      await runDemo(options);
    });

  program
    .command('config')
    .description('show every setting of run, its value and where it came from')
    .option('--json', 'print the settings as one JSON object')
    .option('--explain <key>', 'say all about one setting, also what was overridden')
    .addHelpText(
      'after',
      `
Flags come first, then variables such as UNSTUCK_TIMEOUT, then unstuck.json of the project (looked for
from here up to the directory with .git), then ~/.config/unstuck/config.json, then the preset and the
defaults.

Examples:
  unstuck config                       every setting, its value and where it came from
  unstuck config --explain timeout     one of them: also what was overridden, and what it may be`,
    )
    .action(async (options) => {
      const { runConfig } = await import('./config.js');
      runConfig(options);
    });

  program
    .command('completion')
    .description('print a script that completes commands, options and values in a shell')
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
      const { runCompletion } = await import('./completion.js');
      runCompletion(shell, program);
    });

  // For the scripts of `completion` only.
  program
    .command('complete-ids', { hidden: true })
    .argument('<which>')
    .argument('[word]')
    .action(async (which, word) => {
      const { runCompleteIds } = await import('./complete-ids.js');
      runCompleteIds(which, word ?? '');
    });

  return program as unknown as Command;
}
