import { type HookAgent, hookAgents } from '../../model/tool.js';
import { agentHooks } from './agents.js';
import { oursIn } from './edit-settings.js';
import { fileOf, type HookTarget, isOursFor } from './install.js';
import { pluginMark } from './opencode-plugin.js';
import { NotJson } from './parse-jsonc.js';
import { readSettings } from './settings-file.js';

export interface HookStatus extends HookTarget {
  file: string;
  installed: boolean;
  /** The command that the agent runs, or what is wrong; null: not installed. */
  detail: string | null;
}

/** Of the user, and of the project in this directory. */
export function hookStatus(project: string, env: NodeJS.ProcessEnv): HookStatus[] {
  return hookAgents.flatMap((agent) =>
    [null, project].map((place) => {
      const target = { agent, project: place };
      const file = fileOf(target, env);
      try {
        const { text } = readSettings(file);
        const detail = text === null ? null : installedCommand(agent, text);
        return { ...target, file, installed: detail !== null, detail };
      } catch (error) {
        const reason =
          error instanceof NotJson ? `not valid JSON: line ${error.line}` : (error as Error).message;
        return { ...target, file, installed: false, detail: reason };
      }
    }),
  );
}

function installedCommand(agent: HookAgent, text: string): string | null {
  if (agentHooks[agent].content.kind === 'file')
    return text.startsWith(pluginMark) ? (/^const argv = (.*);$/m.exec(text)?.[1] ?? 'a plugin') : null;
  const [group] = oursIn(text, isOursFor(agent)) as { hooks: { command: string }[] }[];
  return group?.hooks[0]?.command ?? null;
}
