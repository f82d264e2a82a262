import * as z from 'zod/mini';
import { short } from './fields.js';
import { graceS, killOutput, killRun } from './kill.js';
import { operation } from './operation.js';

export const killAll = operation({
  name: 'killAll',
  summary: 'stop all runs, or those of a task or an owner',
  input: z.strictObject({ task: z.optional(short), owner: z.optional(short), graceS }),
  output: z.object({ runs: z.array(killOutput) }),
  handle: async ({ graceS: grace, ...filter }, { registry, requestId }) => {
    const running = registry.select({ ...filter, status: 'running' });
    return { runs: await Promise.all(running.map((run) => killRun(run, requestId, grace))) };
  },
});
