import type { FleetEvent, GivenEvent } from '../../fleet/event.js';
import { consumeEvents, openConsumer } from '../../fleet/events.js';
import { explained } from '../../fleet/explained.js';
import { pause } from '../../fleet/member/pause.js';
import { checkName } from '../../fleet/names.js';
import { postJson } from '../../notices/webhook-target.js';
import { FleetClient, fleetAddress } from './fleet-client.js';

export type { FleetEvent, GivenEvent };

/** Which events of a fleet to follow. */
export interface FleetEventOptions {
  /** Durable position; processes with the same name share the events. */
  consumer: string;
  /** Sends each event there before it is given. */
  webhook?: string | undefined;
  signal: AbortSignal;
}

const againMs = 1000;

/**
 * Ends, changes of health, notices and lost jobs of all machines, until aborted. An event that is not acknowledged is
 * given again. A server that goes away is waited for; one that is not there at the beginning is a Failure.
 */
export async function* followEvents(
  { consumer, webhook, signal }: FleetEventOptions,
  env: NodeJS.ProcessEnv = process.env,
): AsyncGenerator<GivenEvent> {
  const address = fleetAddress(env);
  const name = checkName('queue', consumer);
  for (let wasOpen = false; !signal.aborted; ) {
    try {
      const client = await FleetClient.open(address);
      try {
        const found = await openConsumer(client.connection, client.names, name);
        wasOpen = true;
        for await (const given of consumeEvents(found, client.names, untilLost(client, signal))) {
          if (webhook !== undefined && !(await postJson(webhook, given.event, signal))) given.again();
          else yield given;
        }
      } finally {
        await client.close();
      }
    } catch (error) {
      if (!wasOpen && !signal.aborted) throw explained(address, error);
    }
    await pause(againMs, signal);
  }
}

function untilLost({ connection }: FleetClient, signal: AbortSignal): AbortSignal {
  const lost = new AbortController();
  void connection.closed().then(() => lost.abort());
  return AbortSignal.any([signal, lost.signal]);
}
