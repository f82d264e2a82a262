import type { AgentFacts } from '../model/run/agent.js';
import { formatDuration } from '../text/duration.js';

/** The few facts that show another agent how far this one is. */
export function agentBrief(agent: unknown): { agent?: Record<string, unknown> } {
  if (agent === undefined) return {};
  const { name, turn, tool, waits, tokens, permission, result, screen } = agent as AgentFacts;
  if (screen !== undefined) return { agent: { name, ...screenBrief(screen) } };
  return {
    agent: {
      name,
      turn,
      ...(tool !== null && { tool: tool.name }),
      ...(waits !== null && { waits: `${waits.for}, ${formatDuration(waits.forMs)}` }),
      ...(tokens !== null && { tokens }),
      ...(permission !== null && { asks: permission.text }),
      ...(result !== null && { result: result.ok ? 'ok' : 'failed' }),
    },
  };
}

/** Without events only its screen tells what it does. */
function screenBrief({ shows, text }: NonNullable<AgentFacts['screen']>): Record<string, unknown> {
  if (shows === 'asks') return { asks: text };
  return shows === 'thinking' ? { waits: 'model' } : { [shows]: true };
}
