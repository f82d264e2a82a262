import type { JobStore } from '../../fleet/queue/job-store.js';
import { type QueueRecord, reservationKey } from '../../fleet/queue/queue-record.js';
import type { QueueStore } from '../../fleet/queue/queue-store.js';

/** Jobs are listed once more as long as the last list had some that were not counted. */
const listsMax = 3;

/**
 * Jobs that run already count towards a new limit, and so do those that a host claims meanwhile because it has seen no
 * limit. What still escapes, and is never counted: a job that such a host claims after the last list, as it stood still
 * since it read the settings. A job that is counted by the last list although it is over counts until a host sweeps.
 */
export async function changedQueue(
  queues: QueueStore,
  store: JobStore,
  queue: string,
  settings: { priority?: number | undefined; limit?: number | null | undefined },
): Promise<QueueRecord> {
  const isLimited = settings.limit != null;
  let running = isLimited ? await runningIn(store, queue) : [];
  let { record } = await queues.change(queue, { kind: 'set', ...settings, running });
  for (let lists = 0; isLimited && lists < listsMax; lists += 1) {
    const now = await runningIn(store, queue);
    const still = new Set(now.map(({ key }) => key));
    // One that has ended meanwhile may have been counted after its host released it.
    const over = running.map(({ key }) => key).filter((key) => !still.has(key));
    await queues.change(queue, { kind: 'released', keys: over });
    const counted = await queues.change(queue, { kind: 'counted', running: now });
    record = counted.record;
    if (!counted.changed) break;
    running = now;
  }
  return record;
}

async function runningIn(store: JobStore, queue: string): Promise<QueueRecord['running']> {
  const jobs = await store.all();
  return jobs.flatMap((job) =>
    job.queue === queue && job.state.is === 'running'
      ? [{ key: reservationKey(job), at: job.state.claimedAt }]
      : [],
  );
}
