import type { Command } from '@commander-js/extra-typings';
import { json } from '../../shared/common-options.js';

/** `unstuck remove`: names and help only. */
export function addRemoveCommand(program: Command): void {
  program
    .command('remove')
    .alias('rm')
    .description('forget ended runs and delete their logs')
    .argument('<ids...>', 'run ids, at least their first 4 characters, or labels')
    .option('--force', 'stop a run that has not ended first')
    .option(...json)
    .addHelpText(
      'after',
      `
A run in another place that was unreachable for 5 minutes cannot be stopped: with --force it is given up and forgotten.
Ended runs are removed by themselves after a while: UNSTUCK_KEEP_FOR, UNSTUCK_KEEP_RUNS.

Exit code: 0, 1 when there is no such run or it has not ended, 125 when Unstuck itself failed.

Examples:
  unstuck remove 7c1e
  unstuck rm --force api`,
    )
    .action(async (ids, flags) => {
      const { runRemove } = await import('./remove.js');
      await runRemove(ids, flags);
    });
}
