import type { Command } from '@commander-js/extra-typings';

const again = (text: string, before: string[] | undefined) => [...(before ?? []), text];

/** `unstuck orphans`. */
export function addOrphansCommand(program: Command): void {
  program
    .command('orphans')
    .description('show what outlived the run that started it')
    .option('--older-than <duration>', 'only those that are at least so old')
    .option(
      '--pattern <text>',
      'suspect commands with this text in them, too; may be given more than once',
      again,
    )
    .option('--dir <dir>', 'look for suspects in this project; without it here')
    .option('--json', 'print them as one JSON object')
    .addHelpText(
      'after',
      `
confirmed: proven to be ours, by its recorded identity or by the id of the run in its environment.
suspected: not proven; what it looks like, where it works or who started it speaks for it.
Nothing is stopped, and no daemon is needed: unstuck kill --orphans stops them.

A daemon that runs looks by itself, too, and notes what it finds in orphans.log of the state directory:
  UNSTUCK_ORPHANS_EVERY=60s      how often; 0: never
  UNSTUCK_ORPHANS_AFTER=30m      only those that are at least so old
  UNSTUCK_ORPHANS_KILL=off       confirmed: it stops those that are proven to be ours

Exit code: 0, 125 when Unstuck itself failed.

Examples:
  unstuck orphans
  unstuck orphans --older-than 1h --pattern storybook
  unstuck orphans --json | jq '.orphans[] | select(.classification == "confirmed").pid'`,
    )
    .action(async (flags) => {
      const { runOrphans } = await import('./orphans.js');
      await runOrphans(flags);
    });
}
