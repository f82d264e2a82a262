import type { Command } from '@commander-js/extra-typings';
import { json } from '../../shared/common-options.js';

/** `unstuck leave`: names and help only. */
export function addLeaveCommand(program: Command): void {
  program
    .command('leave')
    .description('leave the fleet; the runs of this machine go on')
    .option(...json)
    .addHelpText(
      'after',
      `
Jobs of the queue that run here go on too, but their end is not reported to the fleet.

Exit code: 0, also when this machine is in no fleet, 125 when Unstuck itself failed.`,
    )
    .action(async (flags) => {
      const { runLeave } = await import('./leave.js');
      await runLeave(flags);
    });
}
