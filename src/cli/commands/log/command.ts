import type { Command } from '@commander-js/extra-typings';
import { codes, idHelp, json, raw } from '../../shared/common-options.js';

/** `unstuck log`: names and help only. */
export function addLogCommand(program: Command): void {
  program
    .command('log')
    .alias('logs')
    .description('print the output of runs: the last 200 lines, or live')
    .argument('[ids...]', `${idHelp}; several: together, each line with its label`)
    .option('-f, --follow', 'print all output live, byte for byte, until the run ends')
    .option('--offset <line>', 'first line, counted from 0')
    .option('-n, --limit <lines>', 'number of lines of each; with --follow: start with this many last lines')
    .option('--since <when>', 'only output of the last 5m, or since a time such as 2026-03-01T12:30')
    .option('--task <name>', 'instead of ids: all runs of this task')
    .option('--tag <tag>', 'instead of ids: all runs with this tag')
    .option('--plain', 'without colours; keep only the final state of overwritten lines')
    .option(...raw)
    .option(...json)
    .addHelpText(
      'after',
      `
Ctrl-C stops following; the run goes on. Times are recorded at every sample: --since may print what came some
seconds earlier, and never leaves out what came later. Lines of several runs that were printed between the same
two samples may be in another order.
${codes}

Examples:
  unstuck log 7c1e                     the last 200 lines
  unstuck log 7c1e --offset 0          the first 200
  unstuck log 7c1e -f | grep -i error  all output, live
  unstuck log 7c1e -f -n 20
  unstuck log api worker --since 5m    both together, each line with its label
  unstuck log -f --tag up              everything that unstuck up has started`,
    )
    .action(async (ids, flags) => {
      const { runLog } = await import('./log.js');
      await runLog(ids, flags);
    });
}
