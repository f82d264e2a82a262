import fs from 'node:fs';
import path from 'node:path';
import { note, say } from '../../output/print.js';
import { type Agent, type AgentName, agents, type ServerEntry } from './agents.js';
import type { McpFlags } from './flags.js';
import { neededVariables } from './needed-variables.js';

const isPlain = (word: string) => /^[\w@%+=:,./-]+$/.test(word);

/** Prints the configuration to stdout, and where to put it to stderr. */
export function printMcpConfig(agent: AgentName, flags: McpFlags): void {
  const { file, render, add, passes = () => true, about }: Agent = agents[agent];
  const { command, args } = program();
  const entry = { command, args: [...args, 'mcp', ...optionsArgv(flags)] };
  const kept = neededVariables(process.env).filter((name) => !passes(name));
  say(render(entry, kept));
  const line = [command, ...entry.args];
  // An argument with spaces or quotes is safer in the file.
  const or = add === undefined || !line.every(isPlain) ? '' : `, or: ${add} ${line.join(' ')}`;
  note(`put it into ${file}${or}`);
  if (about !== undefined) note(about);
}

/** By name if it is in the PATH of an agent; otherwise by its path. Only npm and npx have a PATH with their own links. */
function program(): ServerEntry {
  const directories = (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter((directory) => path.isAbsolute(directory) && !/\/node_modules\/\.bin\/?$/.test(directory));
  const isInstalled = directories.some((directory) => fs.existsSync(path.join(directory, 'unstuck')));
  if (isInstalled) return { command: 'unstuck', args: [] };
  return { command: process.execPath, args: [fs.realpathSync(process.argv[1] ?? '')] };
}

/** The given options that differ from their defaults. */
function optionsArgv({ allow = [], deny = [], whenGone, maxRuns, owner }: McpFlags): string[] {
  return [
    ...allow.flatMap((pattern) => ['--allow', pattern]),
    ...deny.flatMap((pattern) => ['--deny', pattern]),
    ...(whenGone === 'keep' ? [] : ['--when-gone', whenGone]),
    ...(maxRuns === '32' ? [] : ['--max-runs', maxRuns]),
    ...(owner === undefined ? [] : ['--owner', owner]),
  ];
}
