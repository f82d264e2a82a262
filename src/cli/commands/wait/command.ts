import type { Command } from '@commander-js/extra-typings';
import { wakeUps } from '../../../model/run/background.js';
import { idHelp, json, raw } from '../../shared/common-options.js';

/** `unstuck wait`: names and help only. */
export function addWaitCommand(program: Command): void {
  program
    .command('wait')
    .description('wait until a run ends, needs input or is stuck')
    .argument('<id>', idHelp)
    .option('--until <list>', `end at the first of these: ${wakeUps.join(', ')}; exit is always one`)
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
the wait; the run goes on.

Exit code: that of the run when it ended, 128 + N when signal N ended it, and
  0    a named condition was met (--until, --match, --port, --quiet)
  1    there is no such run
  121  it needs input or is stuck, and --until does not name that
  124  --timeout was reached; the run goes on
  125  it is lost, or Unstuck itself failed
  130  Ctrl-C

Examples:
  unstuck wait 7c1e --timeout 10m
  unstuck wait 7c1e --match 'ready in' && curl localhost:3000
  unstuck wait 7c1e --port 5432 --timeout 30s
  unstuck wait 7c1e --until needs-input && unstuck submit 7c1e yes`,
    )
    .action(async (id, flags) => {
      const { runWait } = await import('./wait.js');
      await runWait(id, flags);
    });
}
