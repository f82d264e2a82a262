import type { Job } from '../queue/job.js';
import { runOfJob } from './follow-job.js';
import type { MemberContext } from './member-context.js';
import type { Stores } from './stores.js';

type Own = Pick<MemberContext, 'membership' | 'runs'>;

/**
 * Whether a job that is not over is on this machine. The name alone does not prove it: a machine that was made anew has
 * the name of the one before, and must not start its jobs once more. A machine that left and joined again has the run.
 */
export function isOwnJob(job: Job, { membership, runs }: Own): boolean {
  const { state } = job;
  if ((state.is !== 'running' && state.is !== 'lost') || state.host !== membership.name) return false;
  const isClaimer = state.machine === undefined || state.machine === membership.id;
  return isClaimer || runOfJob(job, runs) !== undefined;
}

/** A job of the machine that had this name before: that machine does not come back. */
export async function giveUpForeign(
  job: Job,
  { membership, runs, clock }: Own & Pick<MemberContext, 'clock'>,
  { jobs }: Stores,
): Promise<void> {
  const { name: host } = membership;
  if (job.state.is !== 'running' || job.state.host !== host || isOwnJob(job, { membership, runs })) return;
  const reason = `another machine has the name ${host} now`;
  const event = { kind: 'host-away', host, at: clock.now(), reason } as const;
  const { job: after, changed } = await jobs.change(job.id, event);
  if (changed && after.state.is === 'queued') await jobs.publish(after);
}
