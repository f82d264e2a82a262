import { takeCaller } from '../../../control/caller.js';
import { commandOfBytes } from '../../../control/command-of-bytes.js';
import { addJob } from '../../../control/fleet/add-job.js';
import { withFleet } from '../../../control/fleet/fleet-client.js';
import {
  cancelJob,
  type Job,
  listJobs,
  retryJob,
  setQueue,
  waitForJob,
} from '../../../control/fleet/queue.js';
import { Failure } from '../../../model/failure.js';
import { note, printJson, say } from '../../output/print.js';
import type { JsonFlag } from '../../shared/call.js';
import { endWithReader } from '../../shared/end-with-reader.js';
import { fail } from '../../shared/fail.js';
import { abortOnInterrupt } from '../../shared/on-interrupt.js';
import { readDuration } from '../../shared/read-duration.js';
import { readVariables } from '../start/input.js';
import { jobLine, jobLines, jobSummary } from './render.js';

interface AddFlags extends JsonFlag {
  queue: string;
  needs?: string[] | undefined;
  cwd?: string | undefined;
  env?: string[] | undefined;
  label?: string | undefined;
  timeout?: string | undefined;
  againIfLost?: true | undefined;
}

const dayMs = 24 * 3600 * 1000;
const timeoutCode = 124;
const unknownCode = 125;

async function guarded(json: boolean, action: (signal: AbortSignal) => Promise<void>): Promise<void> {
  endWithReader();
  const { stop, release } = abortOnInterrupt();
  try {
    await action(stop.signal);
  } catch (error) {
    if (!stop.signal.aborted) fail(error, json);
  } finally {
    release();
  }
}

/** `unstuck queue add`. */
export const runAdd = (command: readonly string[], flags: AddFlags) =>
  guarded(flags.json === true, async (signal) => {
    const { queue, needs, cwd, env, timeout, againIfLost } = flags;
    const bytes = commandOfBytes(command, takeCaller(command).inherited);
    const job = await addJob(
      {
        command: bytes?.command ?? [...command],
        queue,
        needs,
        cwd,
        label: flags.label ?? bytes?.label,
        againIfLost,
        ...(env !== undefined && { env: readVariables(env) }),
        ...(timeout !== undefined && { options: { timeout: checkedTimeout(timeout) } }),
      },
      { signal },
    );
    if (flags.json) return printJson({ job: job.id, queue: job.queue, status: job.state.is });
    say(job.id);
    note(`next: unstuck queue wait ${job.id}    until it is over`);
  });

function checkedTimeout(timeout: string): string {
  readDuration('--timeout', timeout, 1, 365 * dayMs);
  return timeout;
}

/** `unstuck queue ls`. */
export const runList = (flags: JsonFlag & { queue?: string | undefined; all?: true | undefined }) =>
  guarded(flags.json === true, async (signal) => {
    const all = await listJobs({ signal });
    const jobs = all.filter(({ queue }) => flags.queue === undefined || queue === flags.queue);
    if (flags.json) return printJson({ jobs: jobs.map(jobSummary) });
    for (const line of jobLines(jobs, flags.all === true)) say(line);
  });

/** `unstuck queue wait`. */
export const runWait = (handle: string, flags: JsonFlag & { timeout?: string | undefined }) =>
  guarded(flags.json === true, async (signal) => {
    const timeoutMs =
      flags.timeout === undefined ? null : readDuration('--timeout', flags.timeout, 0, 365 * dayMs);
    const job = await waitForJob(handle, timeoutMs, { signal });
    process.exitCode = codeOf(job);
    if (flags.json) return printJson(jobSummary(job));
    note(jobLine(job));
  });

function codeOf({ state }: Job): number {
  if (state.is === 'queued' || state.is === 'running') return timeoutCode;
  return state.is === 'ended' ? (state.exit?.code ?? unknownCode) : unknownCode;
}

/** `unstuck queue cancel`, `unstuck queue retry`. */
export const runChange = (change: 'cancel' | 'retry', handle: string, flags: JsonFlag) =>
  guarded(flags.json === true, async (signal) => {
    const job = await (change === 'cancel' ? cancelJob : retryJob)(handle, { signal });
    if (flags.json) return printJson(jobSummary(job));
    note(jobLine(job));
  });

interface SetFlags extends JsonFlag {
  priority?: string | undefined;
  limit?: string | undefined;
}

/** `unstuck queue set`. */
export const runSet = (queue: string, flags: SetFlags) =>
  guarded(flags.json === true, async (signal) => {
    const priority = flags.priority === undefined ? undefined : Number(flags.priority);
    const limit = flags.limit === undefined ? undefined : flags.limit === 'none' ? null : Number(flags.limit);
    const settings = await setQueue(queue, { priority, limit }, { signal });
    if (flags.json) return printJson(settings);
    const most =
      settings.limit === null ? 'no limit' : `limit ${settings.limit}, running ${settings.running}`;
    say(`${settings.queue}: priority ${settings.priority}, ${most}`);
  });

/** `unstuck queue log`. */
export const runJobLog = (handle: string, flags: { follow?: true | undefined }) =>
  guarded(false, async (signal) => {
    const job = await waitForJob(handle, 0, { signal });
    const { state } = job;
    if (!('host' in state) || state.runId === undefined) {
      throw new Failure(
        'no-such-run',
        `${job.id} has no output: it is ${state.is}`,
        'see it: unstuck queue ls',
      );
    }
    const id = `${state.host}/${state.runId}`;
    const { followRemote } = await import('../log/follow-remote.js');
    await withFleet({ signal }, () => followRemote(id, { follow: flags.follow === true, signal }));
  });
