import type { Command } from '@commander-js/extra-typings';
import { json } from '../../shared/common-options.js';

/** `unstuck pause`: names and help only. */
export function addPauseCommand(program: Command): void {
  program
    .command('pause')
    .description('pause runs: stop all their processes for a while')
    .argument('<ids...>', 'run ids, at least their first 4 characters, or labels')
    .option(...json)
    .addHelpText(
      'after',
      `
Every process of the run gets SIGSTOP; its limits of time do not go on. A paused run is not reported as stuck, and
stays paused when the daemon is killed. unstuck kill stops it as it is.

Exit code: 0, 1 when there is no such run or it has ended, 125 when Unstuck itself failed.

Example:
  unstuck pause build`,
    )
    .action(async (ids, flags) => {
      const { runPause } = await import('./pause.js');
      await runPause(ids, flags);
    });
}
