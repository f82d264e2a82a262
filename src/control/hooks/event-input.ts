import { createHash } from 'node:crypto';
import type { HookAgent } from '../../model/tool.js';
import { jsonOr } from '../../text/parse-json.js';
import { agentHooks, type HookPhase } from './agents.js';

/** What an agent reports to its hook. */
export interface HookEvent {
  /** The agent's own name of the event. */
  name: string;
  phase: HookPhase;
  /** The agent's own id of the call, or one made from its session and command. */
  call: string;
  command: string;
}

const callCharsMax = 200;
const commandCharsMax = 16_384;

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** null: it is not about a shell command, or not what this agent sends. */
export function parseHookEvent(agent: HookAgent, text: string): HookEvent | null {
  const input = objectOf(jsonOr(text, null));
  const { events, tool } = agentHooks[agent];
  const name = textOf(input.hook_event_name);
  const phase = Object.hasOwn(events, name) ? events[name] : undefined;
  if (phase === undefined || input.tool_name !== tool) return null;
  const command = textOf(objectOf(input.tool_input).command);
  if (command === '') return null;
  const id = textOf(input.tool_use_id);
  const call = id !== '' && id.length <= callCharsMax ? id : digestOf(id, textOf(input.session_id), command);
  return { name, phase, call, command: command.slice(0, commandCharsMax) };
}

/** Some agents give a call no id: one command of a session is one call. */
function digestOf(...parts: string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

/** What a hook prints: the agent shows the hint to its model as context of the tool call. */
export function hookOutput({ name }: HookEvent, hint: string): string {
  const output = { hookSpecificOutput: { hookEventName: name, additionalContext: hint } };
  return `${JSON.stringify(output)}\n`;
}
