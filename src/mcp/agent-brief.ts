import type { AgentFacts } from '../model/agent.js';
import { formatDuration } from '../model/duration.js';

/** C7, as little of it as tells another agent how far this one is. */
export function agentBrief(agent: unknown): { agent?: Record<string, unknown> } {
  if (agent === undefined) return {};
  const { name, turn, tool, waits, tokens, permission, result } = agent as AgentFacts;
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
