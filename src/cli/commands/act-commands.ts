import type { Command } from '@commander-js/extra-typings';
import { detachKeysDefault } from './attach/detach-keys.js';
import { idHelp } from './read-commands.js';

const json = ['--json', 'print the answer as one JSON object'] as const;

const again = (text: string, before: string[] | undefined) => [...(before ?? []), text];

/** `unstuck kill`. */
export function addKillCommand(program: Command): void {
  program
    .command('kill')
    .description('stop runs and everything they started')
    .argument('[ids...]', 'run ids, or at least their first 4 characters')
    .option('--grace <duration>', 'time between SIGTERM and SIGKILL; that of the run if not given')
    .option('--all', 'all live runs')
    .option('--task <name>', 'all runs of this task')
    .option('--owner <name>', 'all runs of this owner')
    .option('--orphans', 'confirmed orphans: unstuck orphans')
    .option('--port <number>', 'the process that listens on this TCP port, if it is ours')
    .option('--dry-run', 'with --orphans or --port: only print what would be stopped')
    .option('--force', 'with --orphans: also suspected ones; with --port: also a process that is not ours')
    .option('--older-than <duration>', 'with --orphans: only those at least this old')
    .option(
      '--pattern <text>',
      'with --orphans: also suspect commands with this text; may be given more than once',
      again,
    )
    .option('--dir <dir>', 'with --orphans: project directory of suspects; the current one if not given')
    .option(...json)
    .addHelpText(
      'after',
      `
SIGTERM to the whole tree, after the grace time SIGKILL; no other process is signalled. A run that had ended
before is no failure. Orphans and ports need no daemon; Ctrl-C ends the grace time. Never stopped are other
users' processes and the callers of unstuck.

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
      const { runKill } = await import('./kill/kill.js');
      await runKill(ids, flags);
    });
}

const inputCodes = `
Exit code: 0, 1 when there is no such run, it has ended or its input is closed, 125 when Unstuck itself failed.`;

/** `unstuck write`, `unstuck submit`, `unstuck close`. */
export function addInputCommands(program: Command): void {
  program
    .command('write')
    .description('write bytes to the input of a run')
    .argument('<id>', idHelp)
    .argument('[text]', 'text to write; - or nothing: read stdin')
    .option(...json)
    .addHelpText(
      'after',
      `
For runs started with --stdin or --pty. Nothing is added; submit adds Enter. All bytes arrive in
order and exactly once, also when the command reads them much later.
${inputCodes}

Examples:
  unstuck write 7c1e y
  unstuck write 7c1e $'\\x03'             Ctrl-C, for a run with --pty
  unstuck write 7c1e < data.bin`,
    )
    .action(async (id, text, flags) => {
      const { runWrite } = await import('./write/write.js');
      await runWrite(id, text, flags);
    });

  program
    .command('submit')
    .description('write a line and Enter to the input of a run')
    .argument('<id>', idHelp)
    .argument('[text]', 'the line; nothing: Enter alone')
    .option(...json)
    .addHelpText(
      'after',
      `${inputCodes}

Examples:
  unstuck submit 7c1e yes
  unstuck submit 7c1e                    Enter alone`,
    )
    .action(async (id, text, flags) => {
      const { runSubmit } = await import('./write/submit.js');
      await runSubmit(id, text, flags);
    });

  program
    .command('close')
    .description('close the input of a run: it reads end of file')
    .argument('<id>', idHelp)
    .option(...json)
    .addHelpText(
      'after',
      `
What was written before is still read.
${inputCodes}

Example:
  unstuck write 7c1e < data.csv && unstuck close 7c1e`,
    )
    .action(async (id, flags) => {
      const { runClose } = await import('./write/close.js');
      await runClose(id, flags);
    });
}

/** `unstuck attach`. */
export function addAttachCommand(program: Command): void {
  program
    .command('attach')
    .description('connect this terminal to a run')
    .argument('<id>', idHelp)
    .option('--detach-keys <keys>', 'keys that detach, such as ctrl-p,ctrl-q', detachKeysDefault)
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
      const { runAttach } = await import('./attach/attach.js');
      await runAttach(id, flags);
    });
}
