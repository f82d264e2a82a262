import { randomBytes } from 'node:crypto';
import os from 'node:os';
import { checkName } from '../../fleet/names.js';
import { type Job, newJob } from '../../fleet/queue/job.js';
import { isJobId, parseJob } from '../../fleet/queue/parse-job.js';
import { startOfJob } from '../../fleet/queue/start-of-job.js';
import { isLabel } from '../../fleet/settings.js';
import { encodeJson } from '../../fleet/wire.js';
import { Failure } from '../../model/failure.js';
import type { CommandOptions } from '../../model/operations/command-options.js';
import { checkLabel } from '../../model/run/label.js';
import { prepareStart } from '../../registry/start/prepare-start.js';
import type { CallOptions } from '../client/call-options.js';
import { badInput } from '../operations/shared/bad-input.js';
import { start } from '../operations/start.js';
import { untilLed, withJobs } from './with-jobs.js';

/** A command for any free machine of a fleet. */
export interface JobRequest {
  command: string | string[];
  queue?: string | undefined;
  needs?: string[] | undefined;
  cwd?: string | undefined;
  env?: Record<string, string> | undefined;
  options?: CommandOptions | undefined;
  label?: string | undefined;
  againIfLost?: boolean | undefined;
  /** Of an earlier request whose answer was lost: the job is not added twice. */
  id?: string | undefined;
}

const queueDefault = 'default';
const orderBytesMax = 512 * 1024;

/** Adds a job. A host with a free slot and the needed labels takes it. */
export async function addJob(request: JobRequest, options: CallOptions = {}): Promise<Job> {
  const job = jobOf(request);
  checkReadable(job);
  checkStart(job);
  const add = () =>
    withJobs(options, async (store, client) => {
      await store.add(job);
      client.connection.publish(client.names.nudge, encodeJson({}));
      await client.connection.flush();
      return job;
    });
  // Once per id, so it may be repeated.
  return await untilLed(options, add);
}

function jobOf({ id, queue = queueDefault, needs = [], againIfLost = false, ...order }: JobRequest): Job {
  const { command, cwd, env, label, options } = order;
  const bad = needs.find((need) => !isLabel(need));
  if (bad !== undefined) {
    throw new Failure(
      'bad-input',
      `not a label: ${JSON.stringify(bad)}`,
      'use --needs gpu or --needs arch=arm64',
    );
  }
  if (id !== undefined && !isJobId(id)) {
    throw new Failure('bad-input', 'not the id of a job', 'use job_ and 12 digits from 0 to f, or none');
  }
  return newJob({
    id: id ?? `job_${randomBytes(6).toString('hex')}`,
    queue: checkName('queue', queue),
    needs,
    command,
    againIfLost,
    addedAt: new Date().toISOString(),
    addedBy: `${os.userInfo().username}@${os.hostname()}`,
    ...(cwd !== undefined && { cwd }),
    ...(env !== undefined && { env }),
    ...(label !== undefined && { label }),
    ...(options !== undefined && { options }),
  });
}

function checkReadable(job: Job): void {
  if (parseJob(job.id, job) === null) {
    throw new Failure(
      'bad-input',
      'no host could read this job',
      'use up to 32 needs of 2048 characters in all, and at most 4096 characters for label and directory',
    );
  }
  const bytes = encodeJson(job).length;
  if (bytes > orderBytesMax) {
    throw new Failure(
      'too-large',
      `the job has ${bytes} bytes, the limit is ${orderBytesMax}`,
      'put data into a file',
    );
  }
}

const fields = ['command', 'cwd', 'env', 'options', 'label'];

/** As a host will check it, as far as that does not depend on the host. */
function checkStart(job: Job): void {
  const { command, label } = job;
  checkLabel(label);
  if (command.length === 0 || (typeof command === 'string' ? command.trim() : command[0]) === '') {
    throw new Failure('bad-input', 'no command given', 'give it after --: unstuck queue add -- make test');
  }
  const input = startOfJob(job);
  const parsed = start.input.safeParse(input);
  if (!parsed.success) throw badInput('queue add', input, parsed.error.issues, fields);
  // Files and variables of this machine do not count.
  prepareStart({ ...parsed.data, inherit: {}, options: { ...parsed.data.options, projectFile: false } });
}
