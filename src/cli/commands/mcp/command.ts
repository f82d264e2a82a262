import { type Command, Option } from '@commander-js/extra-typings';
import { several } from '../../shared/common-options.js';
import { type AgentName, agents } from './agents.js';
import type { McpFlags } from './flags.js';

/** `unstuck mcp`: names and help; `run`: what it does. It has a bundle of its own, so only that one has `run`. */
export function addMcpCommand(program: Command, run?: (flags: McpFlags) => Promise<void>): void {
  const command = program
    .command('mcp')
    .description('run as an MCP server for agents')
    .option(
      '--allow <pattern>',
      "commands it may start, such as 'npm *'; may be given more than once",
      several,
    )
    .option(
      '--deny <pattern>',
      "commands it may not start, such as 'rm *'; may be given more than once",
      several,
    )
    .option(
      '--when-gone <what>',
      'what to do with its runs when the agent has gone: keep, stop, or to=NAME',
      'keep',
    )
    .option('--max-runs <number>', 'maximum number of live runs', '32')
    .option('--owner <name>', 'owner of its runs; a name of its own if not given')
    .addOption(
      new Option('--print-config <agent>', 'print the configuration to paste for an agent').choices(
        Object.keys(agents) as AgentName[],
      ),
    )
    .addHelpText(
      'after',
      `
Speaks the Model Context Protocol, revisions of 2025 and 2026. Its tools are
start, process, why, orphans and notices. --print-config prints what to add to the configuration of your agent,
with the names of variables that the agent would not pass on to the server.

An agent sees its own runs and unowned ones; with "all": true also others. When the agent disconnects, its
runs are kept without an owner (keep), stopped (stop), or given to another owner (to=NAME).

--allow and --deny match the whole command; * matches anything. With --allow a command that needs a shell
(a pipe, two commands, a variable) is refused. They prevent mistakes; they are not a sandbox.

Examples:
  unstuck mcp --print-config claude
  unstuck mcp --allow 'npm *' --allow 'node *' --deny '*publish*' --print-config codex
  unstuck mcp --owner ci --when-gone stop`,
    );
  if (run !== undefined) command.action(run);
}
