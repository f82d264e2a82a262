import type { Command } from '@commander-js/extra-typings';
import { detachKeysDefault } from './detach-keys.js';
import { idHelp } from './look-commands.js';

const json = ['--json', 'print the answer as one JSON object'] as const;

const again = (text: string, before: string[] | undefined) => [...(before ?? []), text];

/** `unstuck kill`. */
export function addKillCommand(program: Command): void {
  program
    .command('kill')
    .description('stop runs with everything they started')
    .argument('[ids...]', 'their ids, or the first 4 or more characters of them')
    .option('--grace <duration>', 'time between SIGTERM and SIGKILL; without it that of the run')
    .option('--all', 'all that run')
    .option('--task <name>', 'all of a task')
    .option('--owner <name>', 'all of an owner')
    .option('--orphans', 'what outlived its run, if it is proven to be ours: unstuck orphans')
    .option('--port <number>', 'whatever listens on a TCP port, if it is ours')
    .option('--dry-run', 'with --orphans or --port: only say what would be stopped')
    .option('--force', 'with --orphans: also what is only suspected; with --port: also what is not ours')
    .option('--older-than <duration>', 'with --orphans: only those that are at least so old')
    .option('--pattern <text>', 'with --orphans: suspect commands with this text, too; more than once', again)
    .option('--dir <dir>', 'with --orphans: look for suspects in this project; without it here')
    .option(...json)
    .addHelpText(
      'after',
      `
SIGTERM to the whole tree, after the grace time SIGKILL; nobody else is ever signalled. A run that had ended
before is no failure. Orphans and ports need no daemon; Ctrl-C ends the grace time. Never stopped are other
users' processes, and whoever called unstuck.

Exit code: 0, 1 when there is no such run, something survived or could not be stopped, or a port is held by what
is not ours, 125 when Unstuck itself failed.

Examples:
  unstuck kill 7c1e
  unstuck kill 7c1e b20f --grace 30s
  unstuck kill --task pr-42
  unstuck kill --orphans --dry-run
  unstuck kill --port 3000`,
    )
    .action(async (ids, flags) => {
      const { runKill } = await import('./kill.js');
      await runKill(ids, flags);
    });
}

const inputCodes = `
Exit code: 0, 1 when there is no such run, it has ended or its input is closed, 125 when Unstuck itself failed.`;

/** `unstuck write`, `unstuck submit`, `unstuck close`. */
export function addInputCommands(program: Command): void {
  program
    .command('write')
    .description('write to the input of a run, exactly these bytes')
    .argument('<id>', idHelp)
    .argument('[text]', 'what to write; - or nothing: what is piped in')
    .option(...json)
    .addHelpText(
      'after',
      `
For runs that were started with --stdin or --pty. Nothing is added: submit adds Enter. All of it arrives in
order and once, also when the command reads it much later.
${inputCodes}

Examples:
  unstuck write 7c1e y
  unstuck write 7c1e $'\\x03'             Ctrl-C, for a run with --pty
  unstuck write 7c1e < data.bin`,
    )
    .action(async (id, text, flags) => {
      const { runWrite } = await import('./write.js');
      await runWrite(id, text, flags);
    });

  program
    .command('submit')
    .description('write a line to the input of a run, with Enter at its end')
    .argument('<id>', idHelp)
    .argument('[text]', 'the line; nothing: only Enter')
    .option(...json)
    .addHelpText(
      'after',
      `${inputCodes}

Examples:
  unstuck submit 7c1e yes
  unstuck submit 7c1e                    only Enter`,
    )
    .action(async (id, text, flags) => {
      const { runSubmit } = await import('./submit.js');
      await runSubmit(id, text, flags);
    });

  program
    .command('close')
    .description('end the input of a run: it reads end of file')
    .argument('<id>', idHelp)
    .option(...json)
    .addHelpText(
      'after',
      `
What was written before is read first.
${inputCodes}

Example:
  unstuck write 7c1e < data.csv && unstuck close 7c1e`,
    )
    .action(async (id, flags) => {
      const { runClose } = await import('./close.js');
      await runClose(id, flags);
    });
}

/** `unstuck attach`. */
export function addAttachCommand(program: Command): void {
  program
    .command('attach')
    .description('connect this terminal to a run, and leave it again')
    .argument('<id>', idHelp)
    .option('--detach-keys <keys>', 'what leaves it, such as ctrl-p,ctrl-q', detachKeysDefault)
    .addHelpText(
      'after',
      `
With --pty every key goes to the run, Ctrl-C too, and it has the size of this terminal; the keys above leave
it, and it goes on. With --stdin lines go to it, Ctrl-D ends its input, and Ctrl-C leaves it.

Exit code: 0 when you left, that of the run when it ended, 1 when there is no such run or it takes no input,
125 when Unstuck itself failed.

Examples:
  unstuck attach 7c1e
  unstuck attach 7c1e --detach-keys ctrl-p,ctrl-q`,
    )
    .action(async (id, flags) => {
      const { runAttach } = await import('./attach.js');
      await runAttach(id, flags);
    });
}
