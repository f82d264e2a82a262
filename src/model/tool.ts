/** Agents that report their tool calls through hooks or plugins. */
export const hookAgents = ['claude', 'codex', 'gemini', 'opencode'] as const;

export type HookAgent = (typeof hookAgents)[number];

/** What happens to a tool that is proven stuck: it is only reported, or its stuck part is stopped as well. */
export const stuckPolicies = ['report', 'stop'] as const;

export type StuckPolicy = (typeof stuckPolicies)[number];

/** How tools of an agent are watched. */
export interface ToolPolicy {
  onStuck: StuckPolicy;
  /** A server in the foreground is reported after this time; 0: never. */
  serverAfterMs: number;
  sampleMs: number;
}

export const toolPolicy: ToolPolicy = { onStuck: 'report', serverAfterMs: 30_000, sampleMs: 5_000 };

/** A tool that an agent has begun, as the agent reported it. */
export interface ToolCall extends ToolPolicy {
  agent: HookAgent;
  /** The agent's own id of the call. */
  id: string;
  /** Secrets masked. */
  command: string;
  /** No process of the tool started before this time since boot, in clock ticks. */
  startedTicks: number;
}

/** What was done about a stuck tool. `answerable`: the agent can type on its terminal, so it was not stopped. */
export type ToolAction = 'reported' | 'stopped' | 'answerable';
