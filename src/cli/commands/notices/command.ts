import type { Command } from '@commander-js/extra-typings';

/** `unstuck notices`. */
export function addNoticesCommand(program: Command): void {
  program
    .command('notices')
    .description('print the notices of runs: ends, matches, questions')
    .option('-f, --follow', 'print new notices live, until Ctrl-C')
    .option('--ack', 'acknowledge them once printed: they are not delivered again')
    .option('--ack-to <number>', 'only acknowledge everything up to this number')
    .option('--consumer <name>', 'each consumer has its own acknowledgements')
    .option('--task <name>', 'only runs of this task')
    .option('--owner <name>', 'only runs of this owner')
    .option('--tag <word>', 'only runs with this tag')
    .option('--limit <number>', 'maximum number, the oldest first; 100 if not given')
    .option('--bell', 'ring the terminal bell for new notices')
    .option('--json', 'print the answer as one JSON object; with --follow one notice a line')
    .addHelpText(
      'after',
      `
Notices are requested when a run is started: unstuck start --notify, --notify-on, --watch, --notify-every.
Without --ack the same notices are printed again next time, marked [again]. Notices of news that poll or wait
with the same --reader has already printed are marked [known].

Exit code: 0, also after Ctrl-C, 125 when Unstuck itself failed.

Examples:
  unstuck notices
  unstuck notices --follow --ack --bell
  unstuck notices --ack-to 42
  unstuck notices --follow --ack --consumer bot --json | while read -r notice; do …; done`,
    )
    .action(async (flags) => {
      const { runNotices } = await import('./notices.js');
      await runNotices(flags);
    });
}
