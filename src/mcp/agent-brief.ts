import type { AgentFacts } from '../model/agent.js';

/** The few facts that show another agent how far this one is. */
export function agentBrief(agent: unknown): { agent?: Record<string, unknown> } {
  if (agent === undefined) return {};
  const { name, turn, tool, tokens, permission, result } = agent as AgentFacts;
  return {
    agent: {
      name,
      turn,
      ...(tool !== null && { tool: tool.name }),
      ...(tokens !== null && { tokens }),
      ...(permission !== null && { asks: permission.text }),
      ...(result !== null && { result: result.ok ? 'ok' : 'failed' }),
    },
  };
}
