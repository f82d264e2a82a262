import { type Command, Option } from '@commander-js/extra-typings';

/** `unstuck history`: names and help only. */
export function addHistoryCommand(program: Command): void {
  program
    .command('history')
    .description('show earlier runs of a command, and what is usual for it')
    .argument('[command...]', 'the command, as after run or start; without it: all commands')
    .option('--key', 'explain which runs count as runs of the same command')
    .option('--history-key <name>', 'the history with this key, instead of that of a command')
    .option('--limit <count>', 'show this many runs', '20')
    .addOption(new Option('--export <format>', 'print all runs').choices(['csv']))
    .option('--forget', 'remove the history of the command, or of all commands with --all')
    .option('--all', 'with --forget: all commands')
    .option('--json', 'print the answer as one JSON object')
    .passThroughOptions()
    .addHelpText(
      'after',
      `
Every run of run and start adds a line when it ends; --no-history there prevents it. From five successful runs
on, a run that is silent or lasts longer than ever before is reported, and the end of a run is estimated.

Exit code: 0, 1 when there is no such history, 125 when Unstuck itself failed.

Examples:
  unstuck history                            all commands
  unstuck history -- npm test                runs, medians, trend
  unstuck history --key -- npm test          which runs are compared
  unstuck history --export csv -- npm test >runs.csv
  unstuck history --forget -- npm test`,
    )
    .action(async (words, flags) => {
      const { runHistory } = await import('./history.js');
      runHistory(words, flags);
    });
}
