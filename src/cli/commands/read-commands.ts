import { type Command, Option } from '@commander-js/extra-typings';
import { runStatuses, wakeUps } from '../../model/run/background.js';

const json = ['--json', 'print the answer as one JSON object'] as const;
const raw = ['--raw', 'pass every byte to a terminal; by default only colours'] as const;
export const idHelp = 'run id, or at least its first 4 characters';

const codes = `
Exit code: 0, 1 when there is no such run, 125 when Unstuck itself failed.`;

const status = () => new Option('--status <name>', 'only runs with this status').choices(runStatuses);

/** `unstuck list`, `unstuck ps`. */
export function addTableCommands(program: Command): void {
  program
    .command('list')
    .description('list background runs, for scripts')
    .option('--task <name>', 'only runs of this task')
    .option('--owner <name>', 'only runs of this owner')
    .addOption(status())
    .option(...json)
    .addHelpText(
      'after',
      `
One run per line. In a pipe the fields are separated by tabs, without a heading: id, status, exit code, health,
pid, start, label, command.
${codes}

Examples:
  unstuck list --status running
  unstuck list --task pr-42 | cut -f1
  unstuck list --json | jq '.runs[] | select(.status == "running" and .health != "healthy")'`,
    )
    .action(async (flags) => {
      const { runList } = await import('./ps/list.js');
      await runList(flags);
    });

  program
    .command('ps')
    .description('show background runs, those that need attention first')
    .option('--watch', 'refresh every 2 s, until q or Ctrl-C')
    .option('--all', 'include older ended runs')
    .option('--task <name>', 'only runs of this task')
    .option('--owner <name>', 'only runs of this owner')
    .addOption(status())
    .option(...json)
    .addHelpText(
      'after',
      `
First what is not healthy, then what runs, the oldest first, then what has ended, the latest first. On a
terminal a line is never wider than it; the part of an id that has to be typed is bright.
${codes}

Examples:
  unstuck ps
  unstuck ps --watch --task pr-42`,
    )
    .action(async (flags) => {
      const { runPs } = await import('./ps/ps.js');
      await runPs(flags);
    });
}

/** `unstuck poll`, `unstuck log`. */
export function addOutputCommands(program: Command): void {
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
Output goes to stdout, the state to stderr. The log keeps what is left out.
${codes}

Examples:
  unstuck poll 7c1e
  unstuck poll 7c1e --reader ci --plain --json`,
    )
    .action(async (id, flags) => {
      const { runPoll } = await import('./wait/poll.js');
      await runPoll(id, flags);
    });

  program
    .command('log')
    .description('print the output of a run: the last 200 lines, or live')
    .argument('<id>', idHelp)
    .option('-f, --follow', 'print all output live, byte for byte, until the run ends')
    .option('--offset <line>', 'first line, counted from 0')
    .option('--limit <lines>', 'number of lines; with --follow: start with this many last lines')
    .option('--plain', 'without colours; keep only the final state of overwritten lines')
    .option(...raw)
    .option(...json)
    .addHelpText(
      'after',
      `
Ctrl-C stops following; the run goes on.
${codes}

Examples:
  unstuck log 7c1e                     the last 200 lines
  unstuck log 7c1e --offset 0          the first 200
  unstuck log 7c1e -f | grep -i error  all output, live
  unstuck log 7c1e -f --limit 20`,
    )
    .action(async (id, flags) => {
      const { runLog } = await import('./log/log.js');
      await runLog(id, flags);
    });
}

/** `unstuck wait`. */
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
New output goes to stdout, what ended the wait to stderr. Ctrl-C ends the wait;
the run goes on.

Exit code: that of the run when it ended, 128 + N when signal N ended it, and
  0    a condition you named was met (--until, --match, --port, --quiet)
  1    there is no such run
  121  it needs input or is stuck, and you did not name that
  124  --timeout is over, it still runs
  125  it is lost, or Unstuck itself failed
  130  Ctrl-C

Examples:
  unstuck wait 7c1e --timeout 10m
  unstuck wait 7c1e --match 'ready in' && curl localhost:3000
  unstuck wait 7c1e --port 5432 --timeout 30s
  unstuck wait 7c1e --until needs-input && unstuck submit 7c1e yes`,
    )
    .action(async (id, flags) => {
      const { runWait } = await import('./wait/wait.js');
      await runWait(id, flags);
    });
}
