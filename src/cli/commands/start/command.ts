import { type Command, Option } from '@commander-js/extra-typings';
import type { OptionRow } from '../../../config/option.js';
import { options } from '../../../config/options.js';
import { noticeEvents } from '../../../model/notice.js';
import { leaseDelayS, leaseEnds } from '../../../model/run/lease.js';
import { restartMaxDefault } from '../../../model/run/restart.js';
import { restartModes } from '../../../model/run/restart-record.js';
import { several } from '../../shared/common-options.js';
import { addTableOptions, givenFlags } from '../../shared/table-options.js';

/** Options of `run` that apply to a background command: limits and thresholds, not display and reports. */
const groups = new Set(['When to stop it', 'What counts as stuck']);
const keys = new Set(['quietEnv', 'history', 'historyKey', 'projectFile', 'logCap']);

export const backgroundOptions: readonly OptionRow[] = options.filter(
  ({ group, key }) => groups.has(group) || keys.has(key),
);

const notice = (flags: string, help: string) => new Option(flags, help).helpGroup('Notices:');

const tie = (flags: string, help: string) => new Option(flags, help).helpGroup('Lifetime:');

const afterHelp = `
The words after -- are a program and its arguments; no shell reads them. --shell runs a line in your login
shell instead. The command gets your environment and your current directory. It has no input without --stdin
or --pty, and it goes on when this terminal is closed.

unstuck notices prints its notices; --on-notice and --webhook deliver them as well, and imply --notify if no
other notice is requested. --watch cannot be combined with --notify: the patterns are dropped, with a warning.

--lease ties the command to its owner process. When the owner ends, --when-gone decides: report sends a notice,
stop stops the command after a delay, keep does nothing. The owner of a terminal is its leading shell. A subshell
such as (cd x; unstuck start …) ends at once: use --lease pid:$$ there.

--restart starts it again when it ends, as a new run with the same label, until unstuck kill. A run that lived for a
minute counts as the first again. While it is in force its environment is stored in a file that only you can read.

The id is printed on stdout and everything else on stderr, so id=$(unstuck start -- …) works.
Options that are not given come from variables and files, as for run: unstuck config.

Exit code: 0 when the command was started, and
  125  Unstuck itself failed
  126  the command cannot be executed
  127  the command was not found

Examples:
  unstuck start -- npm run dev
  unstuck start --shell 'npm run build && npm test' --timeout 20m
  unstuck start --label api --task pr-42 --env PORT=3000 -- node server.js
  unstuck start --env-deny 'AWS_*' --env-deny '*_TOKEN' -- ./untrusted.sh
  unstuck start --pty -- python3                       then: unstuck attach ID
  unstuck start --notify-on exit,needs-input -- npm test     then: unstuck notices --follow
  unstuck start --watch ready --watch '/error/i' -- npm run dev
  unstuck start --label api --restart on-failure -- npm run dev
  unstuck start --lease terminal --when-gone stop -- npm run dev
  id=$(unstuck start -- make) && unstuck wait "$id"`;

/** `unstuck start`; `complete`: the options of the table are needed this time. */
export function addStartCommand(program: Command, complete: boolean): void {
  const start = program
    .command('start')
    .description('start a command in the background and print its id')
    .usage('[options] [--] command…\n       unstuck start [options] --shell LINE')
    .argument('[command...]', 'the command and its arguments; options of unstuck come before it')
    .option('-c, --shell <line>', 'a line for your login shell instead of a command')
    .option('--on <place>', 'run it in another place: ssh:HOST, docker:NAME …; see docs/places.md')
    .option('--label <name>', 'a name for it; made from the command if not given')
    .option('--task <name>', 'task, for filtering in list, ps and kill')
    .option('--owner <name>', 'owner, for filtering')
    .option('--tag <word>', 'a tag kept with the run; may be given more than once', several)
    .option('--cwd <dir>', 'working directory; the current one if not given')
    .option('--env <name=value>', 'set an environment variable; may be given more than once', several)
    .option(
      '--env-deny <pattern>',
      "remove environment variables, such as 'AWS_*'; may be given more than once",
      several,
    )
    .option('--host <name>', 'start it on this machine of the fleet: unstuck join')
    .option('--stdin', 'give it an input for unstuck write, submit and close')
    .option('--pty', 'give it a terminal, which also takes input: unstuck attach')
    .option('--wait <duration>', 'wait up to this long for its end or a question before printing its id')
    .option('--json', 'print the answer as one JSON object')
    .addOption(notice('--notify', 'send a notice when it ends'))
    .addOption(notice('--notify-on <events>', `send a notice for any of ${noticeEvents.join(',')}`))
    .addOption(
      notice(
        '--watch <pattern>',
        'send a notice when a line contains this text or matches /regex/; may be given more than once',
      ).argParser<string[]>(several),
    )
    .addOption(notice('--notify-every <duration>', 'send a progress notice at this interval'))
    .addOption(notice('--on-notice <line>', 'shell command that gets each notice as JSON on stdin'))
    .addOption(notice('--webhook <url>', 'send each notice to this URL: https, or http on this machine'))
    .addOption(notice('--webhook-secret-file <file>', 'sign webhook requests with the secret in this file'))
    .addOption(tie('--lease <owner>', 'tie it to a process: pid:PID, parent (the caller), terminal'))
    .addOption(tie('--when-gone <what>', 'what to do when that process has ended').choices(leaseEnds))
    .addOption(
      tie('--lease-delay <duration>', `with --when-gone stop: delay before it is stopped; ${leaseDelayS}s`),
    )
    .addOption(tie('--restart <when>', 'start it again when it ends').choices(restartModes))
    .addOption(
      tie('--restart-max <count>', `with --restart: give up after so many in a row; ${restartMaxDefault}`),
    )
    .addOption(
      tie(
        '--restart-delay <duration>',
        'with --restart: wait before the first restart, doubled each time; 1s',
      ),
    )
    .passThroughOptions()
    .helpOption(false)
    .addHelpText('after', afterHelp);
  if (complete) addTableOptions(start as unknown as Command, backgroundOptions);
  start.addHelpOption(new Option('-h, --help', 'print this help').helpGroup('Help:'));
  start.action(async (words, flags, command) => {
    const { runStart } = await import('./start.js');
    await runStart(words, flags, givenFlags(command, backgroundOptions));
  });
}
