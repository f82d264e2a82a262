import type { Command } from '@commander-js/extra-typings';
import { json } from '../../shared/common-options.js';

/** `unstuck down`: names and help only. */
export function addDownCommand(program: Command): void {
  program
    .command('down')
    .description('stop all commands that unstuck up has started from a file')
    .argument('[file]', 'the file that was given to unstuck up; the one that is here')
    .option('--grace <duration>', 'time between SIGTERM and SIGKILL; that of each run if not given')
    .option(...json)
    .addHelpText(
      'after',
      `
Exit code: 0, 1 when a process survived, 125 when Unstuck itself failed.

Example:
  unstuck down`,
    )
    .action(async (file, flags) => {
      const { runDown } = await import('../up/down.js');
      await runDown(file, flags);
    });
}
