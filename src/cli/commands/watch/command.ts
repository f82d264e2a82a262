import { type Command, Option } from '@commander-js/extra-typings';
import { options } from '../../../config/options.js';
import { addTableOptions, givenFlags } from '../../shared/table-options.js';

/** Options of `run` that apply to a process of another program: thresholds and display, nothing that stops it. */
const keys = new Set(['expectOutputEvery', 'expectDoneIn', 'heartbeat', 'stacks', 'label', 'projectFile']);

export const watchOptions = options.filter(
  (row) => 'threshold' in row || row.key === 'preset' || keys.has(row.key),
);

const afterHelp = `
For a process that another program started. No signal is sent and nothing is stopped, whatever happens. Its
descendants are watched with it, as one tree.

A line is printed when its health changes, when a part of it is stuck, when it asks a question, and at every
heartbeat. Its output cannot be seen from outside: any read or write ends a silence.

Exit code: 0 when all of them have ended, and after Ctrl-C; 1 when a process does not exist, 125 when Unstuck
itself failed. The exit code of the process is not known: only its parent learns it.

Examples:
  unstuck watch 4371                  until it ends, or Ctrl-C
  unstuck watch $(pgrep -f worker)    several at once
  unstuck watch 4371 --silence 2m     suspicious after two minutes without a read or write
  unstuck watch --on ssh:build 4371   a process of another host
  unstuck watch 4371 --json           one event per line`;

/** `unstuck watch`; `complete`: the options of the table are needed this time. */
export function addWatchCommand(program: Command, complete: boolean): void {
  const watch = program
    .command('watch')
    .description('report the health of a process that another program started')
    .argument('<pid...>', 'processes, each with all its descendants')
    .option(
      '--on <place>',
      'processes there: ssh:HOST, docker:NAME, podman:NAME, kubectl:NAMESPACE/POD, via:COMMAND',
    )
    .option('--json', 'print one JSON object per event')
    .helpOption(false)
    .addHelpText('after', afterHelp);
  if (complete) addTableOptions(watch as unknown as Command, watchOptions);
  watch.addHelpOption(new Option('-h, --help', 'print this help').helpGroup('Help:'));
  watch.action(async (pids, flags, command) => {
    const { runWatch } = await import('./watch.js');
    await runWatch(pids, { json: flags.json === true, on: flags.on, ...givenFlags(command, watchOptions) });
  });
}
