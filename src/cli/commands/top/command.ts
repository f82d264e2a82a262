import type { Command } from '@commander-js/extra-typings';
import { codes, json } from '../../shared/common-options.js';

/** `unstuck top`: names and help only. */
export function addTopCommand(program: Command): void {
  program
    .command('top')
    .description('see and control all runs on the terminal, those that need attention first')
    .option(...json)
    .addHelpText(
      'after',
      `
A live table of all runs, with what the chosen one waits for. Keys: Enter shows why, l its output, a answers it,
x stops it (asks first), r runs it again (asks first), / finds, ? lists all keys, q quits. The runs go on.

Without a terminal, on a dumb one and with --json, the runs are printed once.
${codes}

Examples:
  unstuck top
  unstuck top --json`,
    )
    .action(async (flags) => {
      const { runTop } = await import('./top.js');
      await runTop(flags);
    });
}
