import type { Job } from '../queue/job.js';
import { attemptTag, jobTag } from '../queue/start-of-job.js';
import type { LocalRuns } from './local-runs.js';

/**
 * While this host was away, a job of it may have been given to another host (`--again-if-lost`). The run here is
 * stopped then: the job must not run twice for longer than needed.
 */
export async function stopSuperseded(
  runs: LocalRuns,
  host: string,
  jobs: readonly Job[],
  log: (line: string) => void,
): Promise<void> {
  for (const run of runs.all()) {
    if (run.status !== 'running') continue;
    const job = jobs.find(({ id }) => run.tags.includes(jobTag(id)));
    if (job === undefined || isCurrent(job, host, run.tags)) continue;
    log(`fleet: job ${job.id} was given to another host: its run ${run.id} is stopped here`);
    const request = { requestId: `${run.id}.superseded`, signal: AbortSignal.timeout(60_000) };
    await runs.answer('kill', { id: run.id }, request);
  }
}

function isCurrent({ state, attempt }: Job, host: string, tags: readonly string[]): boolean {
  if (!tags.includes(attemptTag(attempt))) return false;
  return 'host' in state ? state.host === host : false;
}
