import type { AgentEvent, AgentName } from '../../model/run/agent.js';
import { AgentStream } from './agent-stream.js';
import { agentProfiles } from './profiles.js';

/**
 * The events of an agent out of what it prints, as they come: `for await (const event of parseAgentStream('claude',
 * child.stdout))`. What is no event is passed over.
 */
export async function* parseAgentStream(
  agent: AgentName,
  output: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>,
): AsyncGenerator<AgentEvent> {
  let events: AgentEvent[] = [];
  const stream = new AgentStream(agentProfiles[agent], (event) => events.push(event));
  for await (const chunk of output) {
    stream.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
    yield* events;
    events = [];
  }
  stream.end();
  yield* events;
}
