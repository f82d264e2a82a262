import { type Command, Option } from '@commander-js/extra-typings';
import { runStatuses, wakeUps } from '../../model/background.js';

const json = ['--json', 'print the answer as one JSON object'] as const;
const raw = ['--raw', 'every byte also on a terminal, where only colours are passed on without it'] as const;
export const idHelp = 'its id, or the first 4 or more characters of it';

const codes = `
Exit code: 0, 1 when there is no such run, 125 when Unstuck itself failed.`;

const status = () => new Option('--status <name>', 'only those that are there').choices(runStatuses);

/** `unstuck list`, `unstuck ps`. */
export function addTableCommands(program: Command): void {
  program
    .command('list')
    .description('list all runs in the background, for scripts')
    .option('--task <name>', 'only those of a task')
    .option('--owner <name>', 'only those of an owner')
    .addOption(status())
    .option(...json)
    .addHelpText(
      'after',
      `
One run a line. In a pipe the fields stand between tabs, without a heading: id, status, exit code, health,
pid, start, label, command.
${codes}

Examples:
  unstuck list --status running
  unstuck list --task pr-42 | cut -f1
  unstuck list --json | jq '.runs[] | select(.status == "running" and .health != "healthy")'`,
    )
    .action(async (flags) => {
      const { runList } = await import('./list.js');
      await runList(flags);
    });

  program
    .command('ps')
    .description('show the runs in the background, what needs you first')
    .option('--watch', 'show it again every 2 s, until q or Ctrl-C')
    .option('--all', 'also those that ended longer ago')
    .option('--task <name>', 'only those of a task')
    .option('--owner <name>', 'only those of an owner')
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
      const { runPs } = await import('./ps.js');
      await runPs(flags);
    });
}

/** `unstuck poll`, `unstuck log`. */
export function addOutputCommands(program: Command): void {
  program
    .command('poll')
    .description('say how a run is, and what it printed since you asked last')
    .argument('<id>', idHelp)
    .option('--reader <name>', 'each reader has a place of its own in the output')
    .option('--limit <characters>', 'at most so much output, its beginning and its end; 1000 if not given')
    .option('--plain', 'without colours, and what was painted over only as it was last')
    .option(...raw)
    .option(...json)
    .addHelpText(
      'after',
      `
Output goes to stdout, how it is to stderr. What is left out, or was seen before, stays in the log.
${codes}

Examples:
  unstuck poll 7c1e
  unstuck poll 7c1e --reader ci --plain --json`,
    )
    .action(async (id, flags) => {
      const { runPoll } = await import('./poll.js');
      await runPoll(id, flags);
    });

  program
    .command('log')
    .description('print the output of a run: its last 200 lines, or as it comes')
    .argument('<id>', idHelp)
    .option('-f, --follow', 'all of it, byte for byte, as it comes, until the run ends')
    .option('--offset <line>', 'the first line wanted, counted from 0')
    .option('--limit <lines>', 'so many lines; with --follow: begin with the last so many')
    .option('--plain', 'without colours, and what was painted over only as it was last')
    .option(...raw)
    .option(...json)
    .addHelpText(
      'after',
      `
Ctrl-C stops following and nothing else.
${codes}

Examples:
  unstuck log 7c1e                     the last 200 lines
  unstuck log 7c1e --offset 0          the first 200
  unstuck log 7c1e -f | grep -i error  all of it, and what comes
  unstuck log 7c1e -f --limit 20`,
    )
    .action(async (id, flags) => {
      const { runLog } = await import('./log.js');
      await runLog(id, flags);
    });
}

/** `unstuck wait`. */
export function addWaitCommand(program: Command): void {
  program
    .command('wait')
    .description('wait until a run ends, needs input or is stuck')
    .argument('<id>', idHelp)
    .option('--until <list>', `instead: the first of ${wakeUps.join(', ')}; its end always counts`)
    .option('--match <text>', 'also until it prints a line with this text, or /a regular expression/')
    .option('--port [number]', 'also until it listens on this port, or on any')
    .option('--quiet <duration>', 'also until it has printed nothing for so long')
    .option('--timeout <duration>', 'not longer than this; the run goes on')
    .option('--reader <name>', 'whose place in the output it is, as with poll')
    .option('--plain', 'without colours, and what was painted over only as it was last')
    .option(...raw)
    .option(...json)
    .addHelpText(
      'after',
      `
What it printed since you asked last goes to stdout, what ended the wait to stderr. Ctrl-C ends the wait;
the run never notices.

Exit code: that of the run when it ended, 128 + N when signal N ended it, and
  0    something came that you named (--until, --match, --port, --quiet)
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
      const { runWait } = await import('./wait.js');
      await runWait(id, flags);
    });
}
