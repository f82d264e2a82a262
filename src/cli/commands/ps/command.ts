import type { Command } from '@commander-js/extra-typings';
import { codes, json, statusOption } from '../../shared/common-options.js';

/** `unstuck ps`: names and help only. */
export function addPsCommand(program: Command): void {
  program
    .command('ps')
    .alias('status')
    .description('show background runs, those that need attention first')
    .option('--watch', 'refresh every 2 s, until q or Ctrl-C')
    .option('--all', 'include older ended runs')
    .option('--fleet', 'the runs of all machines: unstuck join')
    .option('--task <name>', 'only runs of this task')
    .option('--owner <name>', 'only runs of this owner')
    .option('--tag <word>', 'only runs with this tag')
    .addOption(statusOption())
    .option(...json)
    .addHelpText(
      'after',
      `
Order: runs that are not healthy, other live runs (oldest first), ended runs (latest first). Runs that unstuck up
has started from one file stand together. On a terminal lines
are cut to its width, and the part of an id that has to be typed is bright.
${codes}

Examples:
  unstuck ps
  unstuck ps --watch --task pr-42`,
    )
    .action(async (flags) => {
      const { runPs } = await import('./ps.js');
      await runPs(flags);
    });
}
