import type { Command } from '@commander-js/extra-typings';
import { json } from '../../shared/common-options.js';

/** `unstuck rerun`: names and help only. */
export function addRerunCommand(program: Command): void {
  program
    .command('rerun')
    .description('start the commands of runs once more')
    .argument('<ids...>', 'run ids, at least their first 4 characters, or labels')
    .option(...json)
    .addHelpText(
      'after',
      `
As restart, but a run that has not ended goes on beside the new one.

Exit code: 0, 1 when there is no such run, 125 when Unstuck itself failed.

Example:
  unstuck rerun test && unstuck wait test`,
    )
    .action(async (ids, flags) => {
      const { runRerun } = await import('../restart/restart.js');
      await runRerun(ids, flags);
    });
}
