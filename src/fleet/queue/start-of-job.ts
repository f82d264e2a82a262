import os from 'node:os';
import type { StartInput } from '../../model/operations/inputs.js';
import type { Job } from './job.js';

/** Labels of the run of a job: a host that comes back finds its runs by them. */
export const jobTag = (id: string) => `job=${id}`;
export const attemptTag = (attempt: number) => `attempt=${attempt}`;

export const tagsOf = ({ id, attempt, queue }: Job) => [jobTag(id), attemptTag(attempt), `queue=${queue}`];

/** What a host starts for a job. */
export function startOfJob(job: Job): StartInput {
  const { id, command, cwd, env, options, label } = job;
  return {
    command,
    cwd: cwd ?? os.homedir(),
    label: label ?? id,
    tags: tagsOf(job),
    ...(env !== undefined && { env }),
    ...(options !== undefined && { options }),
  };
}
