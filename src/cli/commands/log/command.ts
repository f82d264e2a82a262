import type { Command } from '@commander-js/extra-typings';
import { codes, idHelp, json, raw } from '../../shared/common-options.js';

/** `unstuck log`: names and help only. */
export function addLogCommand(program: Command): void {
  program
    .command('log')
    .alias('logs')
    .description('print the output of a run: the last 200 lines, or live')
    .argument('<id>', idHelp)
    .option('-f, --follow', 'print all output live, byte for byte, until the run ends')
    .option('--offset <line>', 'first line, counted from 0')
    .option('--limit <lines>', 'number of lines; with --follow: start with this many last lines')
    .option('--plain', 'without colours; keep only the final state of overwritten lines')
    .option(...raw)
    .option(...json)
    .addHelpText(
      'after',
      `
Ctrl-C stops following; the run goes on.
${codes}

Examples:
  unstuck log 7c1e                     the last 200 lines
  unstuck log 7c1e --offset 0          the first 200
  unstuck log 7c1e -f | grep -i error  all output, live
  unstuck log 7c1e -f --limit 20`,
    )
    .action(async (id, flags) => {
      const { runLog } = await import('./log.js');
      await runLog(id, flags);
    });
}
