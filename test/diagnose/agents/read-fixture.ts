import { readFileSync } from 'node:fs';
import { advanceAgent, agentFacts, startAgent } from '../../../src/diagnose/agents/agent-state.js';
import { AgentStream } from '../../../src/diagnose/agents/agent-stream.js';
import { agentProfiles } from '../../../src/diagnose/agents/profiles.js';
import type { AgentEvent, AgentFacts, AgentName } from '../../../src/model/run/agent.js';

/** The agents with a stream that was written from the documentation; qwen is only known from recorded ones. */
export const documentedAgents = ['claude', 'codex', 'gemini', 'opencode', 'droid'] as const;

export type DocumentedAgent = (typeof documentedAgents)[number];

/** A stream that was written from the documentation. */
export function fixtureOf(agent: DocumentedAgent): Buffer {
  return readFileSync(new URL(`../../fixtures/agents/${agent}.jsonl`, import.meta.url));
}

/** A stream that the real program printed: `<agent>-<version>-<what>`. `@repeat x 9@` stands for nine times x. */
export function recordedStream(name: string): Buffer {
  const file = new URL(`../../fixtures/agents/recorded/${name}.jsonl`, import.meta.url);
  const text = readFileSync(file, 'utf8');
  return Buffer.from(
    text.replace(/@repeat ([a-z](?:\\n)?) (\d+)@/g, (_, one: string, count: string) =>
      one.repeat(Number(count)),
    ),
  );
}

export interface Heard {
  events: AgentEvent[];
  counts: AgentStream['counts'];
}

/** What comes out of an output, given in these chunks. */
export function hear(agent: AgentName, chunks: readonly Uint8Array[]): Heard {
  const events: AgentEvent[] = [];
  const stream = new AgentStream(agentProfiles[agent], (event) => events.push(event));
  for (const chunk of chunks) stream.push(chunk);
  stream.end();
  return { events, counts: stream.counts };
}

/** One event a second, and a second later. */
export function factsAfter(agent: AgentName, events: readonly AgentEvent[]): AgentFacts {
  let state = startAgent;
  for (const [at, event] of events.entries()) state = advanceAgent(state, event, at * 1000);
  return agentFacts(agent, state, events.length * 1000);
}

/** `tool-started Bash`, one line each. */
export function shorten(events: readonly AgentEvent[]): string[] {
  return events.map(({ kind, ...rest }) => [kind, ...Object.values(rest)].join(' '));
}
