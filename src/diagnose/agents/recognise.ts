import { type AgentName, agentNames } from '../../model/run/agent.js';
import { agentProfiles } from './profiles.js';

/** These programs only start another program; their own arguments are not its name. */
const wrappers = new Set([
  'env',
  'nice',
  'ionice',
  'nohup',
  'setsid',
  'stdbuf',
  'sudo',
  'time',
  'timeout',
  'exec',
  'command',
  'npx',
  'bunx',
  'pnpx',
]);
/** These take a subcommand before the program: `npm exec`, `pnpm dlx`. */
const runners: Readonly<Record<string, RegExp>> = {
  npm: /^(?:exec|x)$/,
  pnpm: /^(?:exec|dlx)$/,
  yarn: /^(?:exec|dlx)$/,
  bun: /^x$/,
};
const interpreters = new Set(['node', 'bun', 'deno']);
const shells = new Set(['sh', 'bash', 'dash', 'zsh', 'ash']);

/** The program is always named within this many arguments. */
const wordsMax = 32;
const scriptCharsMax = 4096;

/** The agent that a command line starts; null: no known agent. A name inside a prompt does not count. */
export function recogniseAgent(command: readonly string[]): AgentName | null {
  let [at, isScript] = [0, false];
  const words = command.slice(0, wordsMax);
  for (; at < words.length; at++) {
    const word = words[at] as string;
    const name = baseOf(word);
    const runner = runners[name];
    if (shells.has(name)) return recogniseScript(words.slice(at + 1));
    if (interpreters.has(name) && !runner?.test(words[at + 1] ?? '')) isScript = true;
    else if (runner?.test(words[at + 1] ?? '')) at++;
    // An option, NAME=value or the duration of a timeout is not a program.
    else if (!wrappers.has(name) && !/^-|^\w+=|^\d+[.\d]*[smhd]?$/.test(word)) break;
  }
  const word = words[at];
  return word === undefined ? null : (agentOfPackage(word) ?? (isScript ? null : agentOfProgram(word)));
}

/** By the name that the kernel has for a process. */
export function agentOfProgram(program: string): AgentName | null {
  const name = baseOf(program);
  return agentNames.find((agent) => agent === name) ?? null;
}

/** `npx @openai/codex@latest`, `node …/node_modules/@openai/codex/bin/codex.js`. */
function agentOfPackage(word: string): AgentName | null {
  const found = agentNames.find((agent) => {
    const { npmPackage } = agentProfiles[agent];
    if (npmPackage === null) return false;
    return word === npmPackage || word.startsWith(`${npmPackage}@`) || word.includes(`/${npmPackage}/`);
  });
  return found ?? null;
}

/** `sh -c 'cd app && claude -p …'`: the first command of the script that starts an agent. */
function recogniseScript(words: readonly string[]): AgentName | null {
  const flag = words.findIndex((word) => /^-\w*c$/.test(word));
  if (flag === -1) return null;
  // In an argv known only from /proc, the end of the script cannot be determined.
  const script = words.slice(flag + 1).join(' ');
  for (const part of script.slice(0, scriptCharsMax).split(/[;&|\n()]+/)) {
    const inner = part.trim().split(/\s+/);
    if (shells.has(baseOf(inner[0] ?? ''))) continue;
    const agent = recogniseAgent(inner);
    if (agent !== null) return agent;
  }
  return null;
}

function baseOf(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1);
}
