import type { FleetEvent, GivenEvent } from '../../fleet/event.js';
import { consumeEvents, openConsumer } from '../../fleet/events.js';
import { explained } from '../../fleet/explained.js';
import { pause } from '../../fleet/member/pause.js';
import { checkName } from '../../fleet/names.js';
import { EventWebhook } from './event-webhook.js';
import { FleetClient, fleetAddress } from './fleet-client.js';

export type { FleetEvent, GivenEvent };

/** Which events of a fleet to follow. */
export interface FleetEventOptions {
  /** Durable position; processes with the same name share the events. */
  consumer: string;
  /** Sends each event there before it is given. */
  webhook?: string | undefined;
  /** Called with a sentence when the webhook has not taken an event. */
  onTrouble?: ((words: string) => void) | undefined;
  signal: AbortSignal;
}

const againMs = 1000;

/**
 * Ends, changes of health, notices and lost jobs of all machines, until aborted. An event that is not acknowledged is
 * given again. A server that goes away is waited for; one that is not there at the beginning is a Failure.
 */
export async function* followEvents(
  { consumer, webhook: url, onTrouble = () => {}, signal }: FleetEventOptions,
  env: NodeJS.ProcessEnv = process.env,
): AsyncGenerator<GivenEvent> {
  const name = checkName('consumer', consumer);
  const webhook = url === undefined ? null : new EventWebhook(url, onTrouble);
  const address = fleetAddress(env);
  for (let wasOpen = false; !signal.aborted; ) {
    let pauseMs = againMs;
    try {
      const client = await FleetClient.open(address);
      try {
        const found = await openConsumer(client.connection, client.names, name);
        wasOpen = true;
        const given = consumeEvents(found, client.names, untilLost(client, signal), {
          oneByOne: webhook !== null,
        });
        if (webhook === null) yield* given;
        else {
          yield* taken(given, webhook, signal);
          pauseMs = webhook.pauseMs;
        }
      } finally {
        await client.close();
      }
    } catch (error) {
      if (!wasOpen && !signal.aborted) throw explained(address, error);
    }
    await pause(pauseMs, signal);
  }
}

/** The events that the webhook has taken. Ends when it takes none. */
async function* taken(
  events: AsyncGenerator<GivenEvent>,
  webhook: EventWebhook,
  signal: AbortSignal,
): AsyncGenerator<GivenEvent> {
  for await (const given of events) {
    const result = await webhook.post(given, signal);
    if (result === 'taken') yield given;
    else given.again();
    if (result === 'failed') return;
  }
}

function untilLost({ connection }: FleetClient, signal: AbortSignal): AbortSignal {
  const lost = new AbortController();
  void connection.closed().then(() => lost.abort());
  return AbortSignal.any([signal, lost.signal]);
}
