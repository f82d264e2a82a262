import { formatDuration } from '../../text/duration.js';
import type { VerdictKind } from '../verdict.js';

/** Coding agents whose events can be read. */
export const agentNames = ['claude', 'codex', 'gemini', 'opencode', 'qwen', 'droid'] as const;

/** An agent whose events are known. */
export type AgentName = (typeof agentNames)[number];

/** One line of an agent in a common form. Texts are short and without secrets. */
export type AgentEvent =
  /** The agent is alive; the line has no other information. */
  | { kind: 'activity' }
  /** Printed by a timer, with or without progress: neither output nor activity. */
  | { kind: 'heartbeat' }
  /** The model speaks. The same id again is the same turn; null: a new turn, if another event came in between. */
  | { kind: 'turn'; id: string | null }
  /** All of the turn is through, its tools included. */
  | { kind: 'turn-ended' }
  | { kind: 'tool-started'; id: string; name: string }
  | { kind: 'tool-ended'; id: string; failed: boolean }
  /** The model spoke without waiting for running tools. They continue in the background. */
  | { kind: 'went-on' }
  /** Tasks that the agent itself reports as running in the background. */
  | { kind: 'background'; count: number }
  /** Tokens not read from a cache. `of`: the turn they belong to; null: total so far. */
  | { kind: 'tokens'; count: number; of: string | null }
  /** It asks for permission and waits for the answer. */
  | { kind: 'permission'; text: string }
  /** The model service did not answer; the request is repeated. */
  | { kind: 'retry'; text: string }
  | { kind: 'compaction' }
  | { kind: 'error'; text: string }
  /** The final result: after it, the agent only has to exit. */
  | { kind: 'result'; ok: boolean; text: string };

export type AgentEventKind = AgentEvent['kind'];

/** Kinds that show that the agent is alive. */
export const agentSignKinds = [
  'activity',
  'turn',
  'turn-ended',
  'tool-started',
  'tool-ended',
  'went-on',
  'background',
  'tokens',
  'permission',
  'retry',
  'compaction',
  'error',
  'result',
] as const satisfies readonly Exclude<AgentEventKind, 'heartbeat'>[];

export type AgentSignKind = (typeof agentSignKinds)[number];

/** What the screen of an agent shows: a question, its prompt with nothing to do, a wait for its model, a command that runs. */
export const agentScreenStates = ['asks', 'idle', 'thinking', 'tool'] as const;

export type AgentScreenState = (typeof agentScreenStates)[number];

/** What an agent waits for that is neither its tool nor an answer of its user. */
export interface AgentWait {
  for: 'model';
  /** How long it has waited, in milliseconds. */
  forMs: number;
}

/** A process that an agent started after its result, and what its branch of the tree does. */
export interface AgentHook {
  pid: number;
  name: string;
  kind: VerdictKind;
  reason: string;
}

/** What a snapshot of the tree shows of an agent, beside its stream. */
export interface AgentTree {
  /** Number of tools that the agent waits for. */
  tools: number;
  /** A process lives that could be one of these tools. */
  mayRunTool: boolean;
  /** `asked`: a request has no answer yet; `connected`: all were answered, but an answer may go on; `none`: no connection. */
  model: 'asked' | 'connected' | 'none';
  /** The last process that the agent started after its result; null: none, or not known. */
  hook: AgentHook | null;
}

/** The state of an agent, in heartbeats and reports. */
export interface AgentFacts {
  name: AgentName;
  /** Events so far without heartbeats; 0: it prints none, or in an unknown form. */
  events: number;
  heartbeats: number;
  /** Times the model spoke. */
  turn: number;
  /** The tool started last that is still running and is waited for. */
  tool: { name: string; forMs: number } | null;
  /** All running tools that are waited for. */
  toolsInFlight: number;
  /** Tools and tasks that go on while the model does something else. */
  toolsInBackground: number;
  /** The model was asked and has not answered, and the agent has a connection open; null: not known to be so. */
  waits: AgentWait | null;
  /** null: not reported. */
  tokens: number | null;
  lastEvent: { kind: AgentSignKind; agoMs: number } | null;
  /** null: none yet, or the agent continued after it. */
  result: { ok: boolean; text: string; agoMs: number } | null;
  /** Its open question; null: none. */
  permission: { text: string; agoMs: number } | null;
  /** Consecutive retries without an answer. */
  retries: number;
  compactions: number;
  errors: number;
  /** The last error or retry reason since the model spoke; null: none. */
  trouble: string | null;
  /** From its screen, which proves nothing; absent: it has no terminal, or the screen is not known. */
  screen?: { shows: AgentScreenState; text: string; forMs: number };
}

/** `claude waits for its model, asked 53 s ago`; null: it is not known to wait for it. */
export function agentWaitWords({ name, waits }: Pick<AgentFacts, 'name' | 'waits'>): string | null {
  return waits === null ? null : `${name} waits for its model, asked ${formatDuration(waits.forMs)} ago`;
}

/** `12k`, `3.4M`. */
export function shortCount(count: number): string {
  if (count < 1000) return String(count);
  const [value, unit] = count < 999_500 ? [count / 1000, 'k'] : [count / 1e6, 'M'];
  return `${value < 9.95 ? value.toFixed(1).replace(/\.0$/, '') : Math.round(value)}${unit}`;
}
