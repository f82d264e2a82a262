import type { HookAgent, StuckPolicy } from '../../tool.js';

/** The call of a tool, in the process of an agent. */
export interface ToolEndedInput {
  /** The agent. */
  pid: number;
  /** Field 22 of /proc/PID/stat of the agent. */
  startTicks: number;
  /** The agent's own id of the call. */
  call: string;
}

/** A tool that an agent is about to run. */
export interface ToolBeganInput extends ToolEndedInput {
  agent: HookAgent;
  /** Secrets are masked before it is kept. */
  command: string;
  /** No process of the tool started before this time since boot, in clock ticks. */
  startedTicks: number;
  /** report: nothing is stopped (default); stop: what is proven stuck is stopped. */
  onStuck?: StuckPolicy | undefined;
  /** A server in the foreground is reported after this time; 0: never. */
  serverAfterMs?: number | undefined;
  sampleMs?: number | undefined;
}
