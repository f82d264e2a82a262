import { type Command, Option } from '@commander-js/extra-typings';

/** `unstuck why`: names and help only. */
export function addWhyCommand(program: Command): void {
  program
    .command('why')
    .description('say what a process is doing or waiting for, and why')
    .argument('[pid-or-id]', 'the process to look at, with all its descendants, or a run in the background')
    .option('--json', 'print the answer as one JSON object')
    .option('--save <file>', 'also write the snapshot to a file, for a bug report or a test')
    .option('--from <file>', 'judge a saved snapshot (- is standard input) instead of a living process')
    .option('--watch', 'look again and again and show what changed, until it ends or Ctrl-C')
    .option('--every <duration>', 'with --watch: time between looks, such as 500ms or 5s', '2s')
    .option('--gap <duration>', 'time between the two reads of one look', '80ms')
    .addOption(new Option('--probe <name>', 'where facts come from').choices(['linux', 'portable']))
    .addHelpText(
      'after',
      `
Nothing is stopped, signalled or slowed down by looking. A word of digits only is a process; a run whose id
begins like that is written run_1234.

Exit code: 0 with a verdict, 1 when the process or the run does not exist, 125 when Unstuck itself failed.

Examples:
  unstuck why 4371                     what is process 4371 waiting for
  unstuck why 7c1e                     the same of a run in the background
  unstuck why 4371 --json              the same, for a program
  unstuck why 4371 --watch             keep looking
  unstuck why 4371 --save hang.json    keep the evidence; judge it later with --from hang.json`,
    )
    .action(async (pid, options) => {
      const { runWhy } = await import('./why.js');
      await runWhy(pid, options);
    });
}
