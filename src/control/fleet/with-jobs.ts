import { isPassing } from '../../fleet/explained.js';
import { pause } from '../../fleet/member/pause.js';
import { JobStore } from '../../fleet/queue/job-store.js';
import type { CallOptions } from '../client/call-options.js';
import { type FleetClient, withFleet } from './fleet-client.js';

export function withJobs<T>(
  options: CallOptions,
  work: (store: JobStore, client: FleetClient) => Promise<T>,
): Promise<T> {
  return withFleet(options, async (client) =>
    work(await JobStore.open(client.connection, client.names), client),
  );
}

const patienceMs = 15_000;
const againMs = 500;

/** For what may be done twice: repeated for a bounded time while the servers choose a leader. */
export async function untilLed<T>({ signal }: CallOptions, work: () => Promise<T>): Promise<T> {
  const endMs = performance.now() + patienceMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error) || signal?.aborted || performance.now() > endMs) throw error;
      await pause(againMs, signal ?? new AbortController().signal);
    }
  }
}
