import { DeliverPolicy, jetstream } from '@nats-io/jetstream';
import { followEvents } from '../../src/control/fleet/events.js';
import { connectFleet } from '../../src/fleet/connect.js';
import { fleetNames } from '../../src/fleet/names.js';
import { parseJson } from '../../src/fleet/wire.js';

const address = (url: string) => ({ url, fleet: 'default', login: {} });

/** How often the end of a run was given to a consumer: as its end, and as the notice that was asked for. */
export interface Given {
  ends: Map<string, number>;
  notices: Map<string, number>;
  /** Jobs whose host was given up, by their ids. */
  lost: Map<string, number>;
}

export const nothingGiven = (): Given => ({ ends: new Map(), notices: new Map(), lost: new Map() });

/** Counts the events that report the end of a run, through one durable consumer, until aborted. */
export async function countEnds(url: string, given: Given, signal: AbortSignal): Promise<void> {
  const count = (counts: Map<string, number>, id: string) => counts.set(id, (counts.get(id) ?? 0) + 1);
  const env = { UNSTUCK_FLEET_URL: url };
  for await (const { event, done } of followEvents({ consumer: 'bench', signal }, env)) {
    if (event.kind === 'ended' && event.runId !== null) count(given.ends, event.runId);
    const job = event.tags.find((tag) => tag.startsWith('job='))?.slice('job='.length);
    if (event.kind === 'lost' && job !== undefined) count(given.lost, job);
    if (event.kind === 'exit' && event.runId !== null) count(given.notices, event.runId);
    await done();
  }
}

/** Runs whose end is in the stream, whatever a consumer was given. */
export async function storedEnds(url: string): Promise<Set<string>> {
  const connection = await connectFleet(address(url), { name: 'bench check' });
  try {
    const { eventStream } = fleetNames('default');
    const consumer = await jetstream(connection).consumers.get(eventStream, {
      deliver_policy: DeliverPolicy.All,
    });
    const found = new Set<string>();
    let { num_pending: left } = await consumer.info();
    while (left > 0) {
      const message = await consumer.next({ expires: 5000 });
      if (message === null) break;
      const { kind, runId } = (parseJson(message.data) ?? {}) as { kind?: unknown; runId?: unknown };
      if (kind === 'ended' && typeof runId === 'string') found.add(runId);
      left = message.info.pending;
    }
    return found;
  } finally {
    await connection.close();
  }
}
