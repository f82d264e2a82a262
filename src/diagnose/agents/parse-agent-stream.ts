import type { AgentEvent, AgentName } from '../../model/run/agent.js';
import { AgentStream } from './agent-stream.js';
import { agentProfiles } from './profiles.js';

/**
 * Yields the events of an agent from its output, as they come: `for await (const event of parseAgentStream('claude',
 * child.stdout))`. Output that is not an event is skipped.
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
