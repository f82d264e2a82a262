import type { Command } from '@commander-js/extra-typings';
import { wakeUps } from '../../../model/run/background.js';
import { idHelp, json, raw } from '../../shared/common-options.js';

/** `unstuck wait`: names and help only. */
export function addWaitCommand(program: Command): void {
  program
    .command('wait')
    .description('wait until runs end, need input or are stuck')
    .argument('<ids...>', `${idHelp}; several: wait for all of them`)
    .option('--any', 'of several runs: until the first of them')
    .option('--all', 'of several runs: until each of them; the default')
    .option('--until <list>', `end at the first of these: ${wakeUps.join(', ')}; an exit always ends it`)
    .option('--match <text>', 'also until a line contains this text or matches /regex/')
    .option('--port [number]', 'also until it listens on this port, or on any port')
    .option('--quiet <duration>', 'also until it has been silent for this long')
    .option('--timeout <duration>', 'maximum wait; the run goes on')
    .option('--reader <name>', 'reader, as in poll')
    .option('--plain', 'without colours; keep only the final state of overwritten lines')
    .option(...raw)
    .option(...json)
    .addHelpText(
      'after',
      `
New output goes to stdout, the reason for the end of the wait to stderr. Ctrl-C ends
the wait; the run goes on. For several runs a line is printed as each of them ends.

Exit code: that of the run when it ended, 128 + N when signal N ended it, also when Unstuck sent it at a
limit of the run (of several runs: 124 while one of them goes on, else the first that is not 0 in the order
given, with --any that of the first run), and
  0    a named condition was met (--until, --match, --port, --quiet)
  1    there is no such run
  121  it needs input or is stuck, and --until does not name that
  124  --timeout was reached; the run goes on
  125  it is lost, or Unstuck itself failed
  130  Ctrl-C

Examples:
  unstuck wait 7c1e --timeout 10m
  unstuck wait lint test build --timeout 1h30m
  unstuck wait web worker --any
  unstuck wait 7c1e --match 'ready in' && curl localhost:3000
  unstuck wait 7c1e --port 5432 --timeout 30s
  unstuck wait 7c1e --until needs-input && unstuck submit 7c1e yes`,
    )
    .action(async (ids, flags) => {
      const [id = '', ...more] = new Set(ids);
      const { runWait } = await import('./wait.js');
      if (more.length === 0) return runWait(id, flags);
      const { runWaitMany } = await import('./wait-many.js');
      await runWaitMany([id, ...more], flags);
    });
}
