import * as z from 'zod/mini';
import { Failure, type FailureCode, failureCodes } from '../../../model/failure.js';
import type { FailedKill } from '../../../model/operations/outputs/act.js';
import { graceS, killOutput, killRun } from '../kill.js';
import { short } from '../shared/fields.js';
import { operation } from '../shared/operation.js';

/** Concurrent kills share their readings of the process table; the daemon answers others between two of them. */
const atOnceMax = 300;

const failureCode = z.enum(Object.keys(failureCodes) as FailureCode[]);

export const killAll = operation({
  name: 'killAll',
  summary: 'stop all runs, or those of a task, an owner or with a tag',
  input: z.strictObject({
    task: z.optional(short),
    owner: z.optional(short),
    tag: z.optional(short),
    graceS,
  }),
  output: z.object({
    runs: z.array(killOutput),
    /** Runs that could not be stopped, and why. */
    errors: z.array(z.object({ id: z.string(), code: failureCode, message: z.string(), hint: z.string() })),
  }),
  handle: async ({ graceS: grace, ...filter }, { registry, requestId }) => {
    const running = registry.select({ ...filter, status: 'running' });
    for (const run of registry.select(filter)) {
      if (registry.restarts.isPending(run)) registry.restarts.callOff(run, 'it was stopped on request');
    }
    const runs: z.input<typeof killOutput>[] = [];
    const errors: FailedKill[] = [];
    const killNext = async (): Promise<void> => {
      for (let run = running.shift(); run !== undefined; run = running.shift()) {
        try {
          runs.push(await killRun(run, requestId, { grace, registry }));
        } catch (error) {
          if (!(error instanceof Failure)) throw error;
          const { code, message, hint } = error;
          errors.push({ id: run.id, code, message, hint });
        }
      }
    };
    await Promise.all(Array.from({ length: atOnceMax }, killNext));
    return { runs, errors };
  },
});
