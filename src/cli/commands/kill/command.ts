import type { Command } from '@commander-js/extra-typings';
import { json, several } from '../../shared/common-options.js';

/** `unstuck kill`: names and help only. */
export function addKillCommand(program: Command): void {
  program
    .command('kill')
    .alias('stop')
    .description('stop runs and everything they started')
    .argument('[ids...]', 'run ids, at least their first 4 characters, or labels')
    .option('--grace <duration>', 'time between SIGTERM and SIGKILL; that of the run if not given')
    .option('--all', 'all live runs')
    .option('--task <name>', 'all runs of this task')
    .option('--owner <name>', 'all runs of this owner')
    .option('--tag <word>', 'all runs with this tag')
    .option('--orphans', 'confirmed orphans: unstuck orphans')
    .option('--port <number>', 'the process that listens on this TCP port, if it is ours')
    .option('--dry-run', 'with --orphans or --port: only print what would be stopped')
    .option('--force', 'with --orphans: also suspected ones; with --port: also a process that is not ours')
    .option('--older-than <duration>', 'with --orphans: only those at least this old')
    .option(
      '--pattern <text>',
      'with --orphans: also suspect commands with this text; may be given more than once',
      several,
    )
    .option('--dir <dir>', 'with --orphans: project directory of suspects; the current one if not given')
    .option('--on <place>', 'with --orphans: those of another place, such as ssh:HOST')
    .option(...json)
    .addHelpText(
      'after',
      `
Sends SIGTERM to the whole tree, and SIGKILL after the grace time. No other process is signalled; processes of
other users and the callers of unstuck are never stopped. A run that has already ended is not an error. Ctrl-C
ends the grace time. --orphans and --port need no daemon.

Exit code: 0, 1 when there is no such run, a process survived or could not be stopped, or the port belongs to a
process that is not ours, 125 when Unstuck itself failed.

Examples:
  unstuck kill 7c1e
  unstuck kill 7c1e b20f --grace 30s
  unstuck kill --task pr-42
  unstuck kill --orphans --dry-run
  unstuck kill --port 3000`,
    )
    .action(async (ids, flags) => {
      const { runKill } = await import('./kill.js');
      await runKill(ids, flags);
    });
}
