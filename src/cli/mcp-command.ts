import { type Command, Option } from '@commander-js/extra-typings';
import { type AgentName, agents } from './mcp-agents.js';

const again = (text: string, before: string[] | undefined) => [...(before ?? []), text];

/** `unstuck mcp`: names and help only. */
export function addMcpCommand(program: Command, load = () => import('./mcp.js')): void {
  program
    .command('mcp')
    .description('be the MCP server of an agent: start, wait, answer, clean up')
    .option('--allow <pattern>', "commands it may start, such as 'npm *'; may be given more than once", again)
    .option(
      '--deny <pattern>',
      "commands it may not start, such as 'rm *'; may be given more than once",
      again,
    )
    .option('--when-gone <what>', 'its runs when the agent has gone: keep, stop, or to=NAME', 'keep')
    .option('--max-runs <number>', 'how many it may have running at the same time', '32')
    .option('--owner <name>', 'whose its runs are; without it those of this agent, as long as it lives')
    .addOption(
      new Option('--print-config <agent>', 'print what to paste into the configuration of an agent').choices(
        Object.keys(agents) as AgentName[],
      ),
    )
    .addHelpText(
      'after',
      `
For agents, not for people: it speaks the Model Context Protocol, the revisions of 2025 and of 2026. Its tools are
start, process, why, orphans and notices. Put it into the configuration of your agent; --print-config says how.

An agent sees the runs that it has started itself, and those of nobody; with "all": true also others. When it
has gone, its runs are kept and belong to nobody (keep), are stopped (stop), or are given to an owner (to=NAME).

--allow and --deny look at the whole command, with * for anything. With --allow a command that needs a shell
(a pipe, two commands, a variable) is refused. They guard against mistakes; they are no sandbox.

Examples:
  unstuck mcp --print-config claude
  unstuck mcp --allow 'npm *' --allow 'node *' --deny '*publish*' --print-config codex
  unstuck mcp --owner ci --when-gone stop`,
    )
    .action(async (options) => {
      const { runMcp } = await load();
      await runMcp(options);
    });
}
