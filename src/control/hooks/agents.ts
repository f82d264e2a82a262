import os from 'node:os';
import path from 'node:path';
import type { HookAgent } from '../../model/tool.js';
import type { HookEntry } from './edit-settings.js';
import { opencodePlugin } from './opencode-plugin.js';

/** The part of a tool call that an event reports. */
export type HookPhase = 'begin' | 'end';

export interface AgentHooks {
  /** The settings of the user; of one project, relative to it. */
  user(env: NodeJS.ProcessEnv): string;
  project: string;
  /** The name of its shell among its tools. */
  tool: string;
  /** Its events, with what they report. */
  events: Record<string, HookPhase>;
  /** `json`: entries in a settings file; `file`: a file of our own. */
  content:
    | { kind: 'json'; handler(command: string, phase: HookPhase): object }
    | { kind: 'file'; text(argv: readonly string[]): string };
  /** What a person must do after the install. */
  afterwards?: string;
}

const homeDir = (env: NodeJS.ProcessEnv): string => env.HOME || os.homedir();
const below = (env: NodeJS.ProcessEnv, variable: string, fallback: string): string =>
  env[variable] || path.join(homeDir(env), fallback);

/** Longer than the hook ever takes: it ends by itself before. */
const timeoutS = 10;

/** What each agent offers, seen in the versions that docs/hooks.md names. */
export const agentHooks: Record<HookAgent, AgentHooks> = {
  claude: {
    user: (env) => path.join(below(env, 'CLAUDE_CONFIG_DIR', '.claude'), 'settings.json'),
    project: '.claude/settings.local.json',
    tool: 'Bash',
    events: { PreToolUse: 'begin', PostToolUse: 'end', PostToolUseFailure: 'end' },
    content: {
      kind: 'json',
      // It does not wait for a hook that is `async`.
      handler: (command, phase) => ({
        type: 'command',
        command,
        timeout: timeoutS,
        ...(phase === 'begin' && { async: true }),
      }),
    },
  },
  codex: {
    user: (env) => path.join(below(env, 'CODEX_HOME', '.codex'), 'hooks.json'),
    project: '.codex/hooks.json',
    tool: 'Bash',
    events: { PreToolUse: 'begin', PostToolUse: 'end' },
    content: { kind: 'json', handler: (command) => ({ type: 'command', command, timeout: timeoutS }) },
    afterwards: 'codex runs a hook only after you have trusted it: start codex and type /hooks',
  },
  gemini: {
    user: (env) => path.join(homeDir(env), '.gemini', 'settings.json'),
    project: '.gemini/settings.json',
    tool: 'run_shell_command',
    events: { BeforeTool: 'begin', AfterTool: 'end' },
    content: {
      kind: 'json',
      handler: (command) => ({ name: 'unstuck', type: 'command', command, timeout: timeoutS * 1000 }),
    },
  },
  opencode: {
    user: (env) => path.join(below(env, 'XDG_CONFIG_HOME', '.config'), 'opencode', 'plugins', 'unstuck.js'),
    project: '.opencode/plugins/unstuck.js',
    tool: 'bash',
    events: { 'tool.execute.before': 'begin', 'tool.execute.after': 'end' },
    content: { kind: 'file', text: opencodePlugin },
  },
};

/** One entry for each event of an agent. */
export function entriesOf({ events, tool, content }: AgentHooks, command: string): HookEntry[] {
  if (content.kind === 'file') return [];
  return Object.entries(events).map(([event, phase]) => ({
    event,
    group: { matcher: tool, hooks: [content.handler(command, phase)] },
  }));
}
