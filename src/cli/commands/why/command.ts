import { type Command, Option } from '@commander-js/extra-typings';

/** `unstuck why`: names and help only. */
export function addWhyCommand(program: Command): void {
  program
    .command('why')
    .description('explain what a process is doing or waiting for')
    .argument(
      '[pid-or-id]',
      'a process, with all its descendants, a background run, or a container: docker:NAME',
    )
    .option(
      '--on <place>',
      'a process there: ssh:HOST, docker:NAME, podman:NAME, kubectl:NAMESPACE/POD, via:COMMAND',
    )
    .option('--json', 'print the answer as one JSON object')
    .option('--save <file>', 'also write the snapshot to a file, for a bug report or a test')
    .option('--capture <file>', 'also write what a plain shell reads of /proc, for a bug report')
    .option('--from <file>', 'judge a saved snapshot or capture instead of a live process; - is stdin')
    .option('--watch', 'repeat, and print what changed, until it ends or Ctrl-C')
    .option('--every <duration>', 'with --watch: interval, such as 500ms or 5s', '2s')
    .option('--gap <duration>', 'time between the two reads of a snapshot', '80ms')
    .addOption(new Option('--probe <name>', 'source of facts').choices(['linux', 'portable']))
    .addHelpText(
      'after',
      `
No process is stopped, signalled or slowed down. Digits alone are a pid; write run_1234 for a run whose
id begins with digits.

Exit code: 0 with a verdict, 1 when the process or the run does not exist, 125 when Unstuck itself failed.

Examples:
  unstuck why 4371                     what process 4371 waits for
  unstuck why 7c1e                     the same for a background run
  unstuck why 4371 --json              as JSON
  unstuck why 4371 --watch             repeat
  unstuck why --on ssh:build 4371      a process of another host, which needs nothing but a shell
  unstuck why docker:web               a container of this machine, also one without a shell
  unstuck why 4371 --save hang.json    keep the evidence; judge it later with --from hang.json`,
    )
    .action(async (pid, options) => {
      const { runWhy } = await import('./why.js');
      await runWhy(pid, options);
    });
}
