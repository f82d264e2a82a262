import type { Command } from '@commander-js/extra-typings';
import { several } from '../../shared/common-options.js';

/** `unstuck orphans`. */
export function addOrphansCommand(program: Command): void {
  program
    .command('orphans')
    .description('list processes that outlived their run')
    .option('--older-than <duration>', 'only those at least this old')
    .option('--pattern <text>', 'also suspect commands with this text; may be given more than once', several)
    .option('--dir <dir>', 'project directory of suspects; the current one if not given')
    .option('--on <place>', 'those of another place: ssh:HOST, docker:NAME …, or a name of yours')
    .option('--json', 'print them as one JSON object')
    .addHelpText(
      'after',
      `
confirmed: proven to be ours, by its recorded identity or by the id of the run in its environment.
suspected: not proven; its command, directory or parent suggests it.
Nothing is stopped, and no daemon is needed: unstuck kill --orphans stops them.

A running daemon also looks for orphans and logs them in orphans.log of the state directory:
  UNSTUCK_ORPHANS_EVERY=60s      how often; 0: never
  UNSTUCK_ORPHANS_AFTER=30m      only those at least this old
  UNSTUCK_ORPHANS_KILL=off       confirmed: stop confirmed orphans

Exit code: 0, 125 when Unstuck itself failed.

Examples:
  unstuck orphans
  unstuck orphans --older-than 1h --pattern storybook
  unstuck orphans --on ssh:build
  unstuck orphans --json | jq '.orphans[] | select(.classification == "confirmed").pid'`,
    )
    .action(async (flags) => {
      const { runOrphans } = await import('./orphans.js');
      await runOrphans(flags);
    });
}
