import type { Command } from '@commander-js/extra-typings';

/** `unstuck notices`. */
export function addNoticesCommand(program: Command): void {
  program
    .command('notices')
    .description('print what runs had to tell: ends, matches, questions')
    .option('-f, --follow', 'wait for more and print them as they come, until Ctrl-C')
    .option('--ack', 'acknowledge them once they are printed: they are not given again')
    .option('--ack-to <number>', 'print nothing, only acknowledge everything up to this number')
    .option('--consumer <name>', 'each consumer has acknowledgements of its own')
    .option('--task <name>', 'only those of a task')
    .option('--owner <name>', 'only those of an owner')
    .option('--limit <number>', 'at most so many, the oldest first; 100 if not given')
    .option('--bell', 'ring the bell of the terminal for new ones')
    .option('--json', 'print the answer as one JSON object; with --follow one notice a line')
    .addHelpText(
      'after',
      `
What a run tells is said when it is started: unstuck start --notify, --notify-on, --watch, --notify-every.
Without --ack the same are printed again next time, marked [again]. What you have been told before by poll or
wait with the same --reader is marked [known].

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
