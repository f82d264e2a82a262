import { Argument, type Command, Option } from '@commander-js/extra-typings';
import { hookAgents, stuckPolicies } from '../../../model/tool.js';
import { json } from '../../shared/common-options.js';

const agentArgument = () => new Argument('<agent>', `one of ${hookAgents.join(', ')}`).choices(hookAgents);
const policyOption = () =>
  new Option('--on-stuck <what>', 'report: say so; stop: also stop what is stuck')
    .choices(stuckPolicies)
    .default('report' as const);
const serverOption = () =>
  new Option(
    '--server-after <duration>',
    'a server in the foreground is reported after this time; 0: never',
  ).default('30s');
const sampleOption = () => new Option('--sample <duration>', 'time between two samples').default('5s');
const projectOption = ['--project', 'only for the project in this directory'] as const;
const yesOption = ['-y, --yes', 'do not ask before the file is written'] as const;
const dryRunOption = ['--dry-run', 'print what would be written, and write nothing'] as const;

/** `unstuck hook`: names and help only. */
export function addHookCommand(program: Command): void {
  const hook = program
    .command('hook')
    .description('watch the tools of a coding agent: tell it what hung, and what to do instead')
    .helpCommand(false)
    .addHelpText(
      'after',
      `
With the hook installed, the daemon watches each shell command of the agent while it runs. When the kernel
proves that the command will not go on, you get a notice (unstuck notices), and the agent gets, with the
result of that very command, what hung and what to do instead. By default nothing is stopped; with
--on-stuck stop the stuck process is stopped, so that the agent goes on within seconds.
The command, its directory, its output and its exit code are never changed.

Examples:
  unstuck hook install claude --dry-run         what would be written, and where
  unstuck hook install claude --on-stuck stop   with confirmation
  unstuck hook status                           which agents have it
  unstuck hook uninstall claude                 restores the file as it was`,
    );

  hook
    .command('install')
    .description('add the hook to the settings of an agent')
    .addArgument(agentArgument())
    .addOption(policyOption())
    .addOption(serverOption())
    .addOption(sampleOption())
    .option(...projectOption)
    .option(...yesOption)
    .option(...dryRunOption)
    .option(...json)
    .action(async (agent, options) => (await import('./install.js')).runHookInstall(agent, options));

  hook
    .command('uninstall')
    .description('remove it again; the rest of the file stays as it is')
    .addArgument(agentArgument())
    .option(...projectOption)
    .option(...yesOption)
    .option(...dryRunOption)
    .option(...json)
    .action(async (agent, options) => (await import('./install.js')).runHookUninstall(agent, options));

  hook
    .command('status')
    .description('print which agents have the hook')
    .option(...json)
    .action(async (options) => (await import('./status.js')).runHookStatus(options));

  hook
    .command('event')
    .description('called by agents: handle one event, JSON on stdin')
    .addArgument(agentArgument())
    .addOption(policyOption())
    .addOption(serverOption())
    .addOption(sampleOption())
    .action(async (agent, options) => (await import('./event.js')).runHookEvent(agent, options));

  hook
    .command('send', { hidden: true })
    .description('pass an event on to the daemon, which is started if there is none')
    .action(async () => (await import('./event.js')).runHookSend());
}
