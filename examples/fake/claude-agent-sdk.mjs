// Stands in for the part of the Claude Agent SDK that matters here: `query` starts the agent with the caller's own
// spawn function, gives every JSON line as a message, and fails when the agent was ended by a signal.
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const agent = fileURLToPath(new URL('./agent.mjs', import.meta.url));

/**
 * @param {{ prompt: string, options: { spawnClaudeCodeProcess: Function } }} request
 */
export async function* query({ prompt, options }) {
  const args = prompt.includes('hang') ? [agent, '--hang'] : [agent];
  const { signal } = new AbortController();
  const child = options.spawnClaudeCodeProcess({ command: process.execPath, args, env: process.env, signal });
  const ended = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) yield JSON.parse(line);
  const [, endedBy] = await ended;
  if (endedBy !== null) throw new Error(`the agent was ended by ${endedBy}`);
}
