import { formatDuration } from './duration.js';

/** Command lines of coding agents whose events we can read: C7. */
export const agentNames = ['claude', 'codex', 'gemini', 'opencode', 'droid'] as const;

export type AgentName = (typeof agentNames)[number];

/** What one line of an agent says, in the same words for all of them. Texts are short and without secrets. */
export type AgentEvent =
  /** It lives; nothing more is to be had from the line. */
  | { kind: 'activity' }
  /** Printed by a timer, whether anything gets on or not: no output, and no sign of life. */
  | { kind: 'heartbeat' }
  /** The model speaks. The same id again is the same turn; null: a new one, if something else came in between. */
  | { kind: 'turn'; id: string | null }
  /** All of the turn is through, its tools included. */
  | { kind: 'turn-ended' }
  | { kind: 'tool-started'; id: string; name: string }
  | { kind: 'tool-ended'; id: string; failed: boolean }
  /** The model spoke: it does not wait for the tools that are in flight. They go on in the background. */
  | { kind: 'went-on' }
  /** Tasks that the agent itself reports as running in the background. */
  | { kind: 'background'; count: number }
  /** Tokens that were not read from a cache. `of`: the turn they belong to; null: all so far. */
  | { kind: 'tokens'; count: number; of: string | null }
  /** It asks whether it may do something, and waits for the answer. */
  | { kind: 'permission'; text: string }
  /** The model's service did not answer, and is asked again. */
  | { kind: 'retry'; text: string }
  | { kind: 'compaction' }
  | { kind: 'error'; text: string }
  /** The last word: after it there is nothing left to do but to exit. */
  | { kind: 'result'; ok: boolean; text: string };

export type AgentEventKind = AgentEvent['kind'];

/** Kinds that say that the agent is alive. */
export type AgentSignKind = Exclude<AgentEventKind, 'heartbeat'>;

/** What an agent waits for that is neither its tool nor an answer of its user. */
export interface AgentWait {
  for: 'model';
  /** How long it has waited, in milliseconds. */
  forMs: number;
}

/** What is known of an agent at this moment, in heartbeats and reports. */
export interface AgentFacts {
  name: AgentName;
  /** Events so far, heartbeats not counted; 0: it prints none, or not in a form we know. */
  events: number;
  heartbeats: number;
  /** Times the model spoke. */
  turn: number;
  /** The one that was started last, has not ended and is waited for. */
  tool: { name: string; forMs: number } | null;
  /** All of them. */
  toolsInFlight: number;
  /** Tools and tasks that go on while the model does something else. */
  toolsInBackground: number;
  /** The model was asked and has not answered, and the agent has a connection open; null: not known to be so. */
  waits: AgentWait | null;
  /** null: it did not say. */
  tokens: number | null;
  lastEvent: { kind: AgentSignKind; agoMs: number } | null;
  /** null: none yet, or it went on after it. */
  result: { ok: boolean; text: string; agoMs: number } | null;
  /** What it asks; null: nothing. */
  permission: { text: string; agoMs: number } | null;
  /** In a row, without an answer in between. */
  retries: number;
  compactions: number;
  errors: number;
  /** The last error or reason to try again since the model spoke; null: none. */
  trouble: string | null;
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
