import type { Command } from '@commander-js/extra-typings';
import { json } from '../../shared/common-options.js';

/** `unstuck restart`: names and help only. */
export function addRestartCommand(program: Command): void {
  program
    .command('restart')
    .description('stop runs and start them again, with the same label')
    .argument('<ids...>', 'run ids, at least their first 4 characters, or labels')
    .option('--grace <duration>', 'time between SIGTERM and SIGKILL; that of the run if not given')
    .option(...json)
    .addHelpText(
      'after',
      `
The same command with the same options, in your present environment. The new run has an id of its own; the old one
is kept with its log. A run whose command or --env holds what looks like a secret cannot be restarted, unless it was
started with --restart.

Exit code: 0, 1 when there is no such run, 125 when Unstuck itself failed.

Examples:
  unstuck restart api
  unstuck restart api --json`,
    )
    .action(async (ids, flags) => {
      const { runRestart } = await import('./restart.js');
      await runRestart(ids, flags);
    });
}
