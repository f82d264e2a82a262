import type { Command } from '@commander-js/extra-typings';
import { json } from '../../shared/common-options.js';

/** `unstuck resume`: names and help only. */
export function addResumeCommand(program: Command): void {
  program
    .command('resume')
    .description('let paused runs go on')
    .argument('<ids...>', 'run ids, at least their first 4 characters, or labels')
    .option(...json)
    .addHelpText(
      'after',
      `
Every stopped process of the run gets SIGCONT.

Exit code: 0, 1 when there is no such run or it has ended, 125 when Unstuck itself failed.

Example:
  unstuck resume build`,
    )
    .action(async (ids, flags) => {
      const { runResume } = await import('../pause/pause.js');
      await runResume(ids, flags);
    });
}
