import type { Command } from '@commander-js/extra-typings';
import { codes, json, statusOption } from '../../shared/common-options.js';

/** `unstuck list`: names and help only. */
export function addListCommand(program: Command): void {
  program
    .command('list')
    .alias('ls')
    .description('list background runs, for scripts')
    .option('--task <name>', 'only runs of this task')
    .option('--owner <name>', 'only runs of this owner')
    .option('--tag <word>', 'only runs with this tag')
    .addOption(statusOption())
    .option(...json)
    .addHelpText(
      'after',
      `
One run per line. In a pipe the fields are separated by tabs, without a heading: id, status, exit code, health,
pid, start, label, command.
${codes}

Examples:
  unstuck list --status running
  unstuck list --task pr-42 | cut -f1
  unstuck list --json | jq '.runs[] | select(.status == "running" and .health != "healthy")'`,
    )
    .action(async (flags) => {
      const { runList } = await import('./list.js');
      await runList(flags);
    });
}
