import type { Command } from '@commander-js/extra-typings';
import { codes, idHelp, json, raw } from '../../shared/common-options.js';

/** `unstuck poll`: names and help only. */
export function addPollCommand(program: Command): void {
  program
    .command('poll')
    .description('print the state of a run and its output since the last poll')
    .argument('<id>', idHelp)
    .option('--reader <name>', 'each reader has its own position in the output')
    .option('--limit <characters>', 'maximum output, its beginning and its end; 1000 if not given')
    .option('--plain', 'without colours; keep only the final state of overwritten lines')
    .option(...raw)
    .option(...json)
    .addHelpText(
      'after',
      `
Output goes to stdout, the state to stderr. Output beyond the limit is still in the log.
${codes}

Examples:
  unstuck poll 7c1e
  unstuck poll 7c1e --reader ci --plain --json`,
    )
    .action(async (id, flags) => {
      const { runPoll } = await import('./poll.js');
      await runPoll(id, flags);
    });
}
