import fs from 'node:fs';
import path from 'node:path';
import { note, say } from './background/print.js';
import { type AgentName, agents, type ServerEntry } from './mcp-agents.js';
import type { McpFlags } from './mcp-flags.js';

/** What to paste on stdout, and where on stderr. */
export function printMcpConfig(agent: AgentName, flags: McpFlags): void {
  const { file, render } = agents[agent];
  say(render({ ...program(), args: [...program().args, 'mcp', ...words(flags)] }));
  note(`put it into ${file}`);
}

/** By its name when a shell would find it; otherwise where it is. */
function program(): ServerEntry {
  const directories = (process.env.PATH ?? '').split(path.delimiter).filter(path.isAbsolute);
  const isInstalled = directories.some((directory) => fs.existsSync(path.join(directory, 'unstuck')));
  if (isInstalled) return { command: 'unstuck', args: [] };
  return { command: process.execPath, args: [fs.realpathSync(process.argv[1] ?? '')] };
}

/** The same options again, as far as they say something. */
function words({ allow = [], deny = [], whenGone, maxRuns, owner }: McpFlags): string[] {
  return [
    ...allow.flatMap((pattern) => ['--allow', pattern]),
    ...deny.flatMap((pattern) => ['--deny', pattern]),
    ...(whenGone === 'keep' ? [] : ['--when-gone', whenGone]),
    ...(maxRuns === '32' ? [] : ['--max-runs', maxRuns]),
    ...(owner === undefined ? [] : ['--owner', owner]),
  ];
}
