import * as z from 'zod/mini';
import { short } from './fields.js';
import { killOutput, killRun } from './kill.js';
import { operation } from './operation.js';

export const killAll = operation({
  name: 'killAll',
  summary: 'stop all runs, or those of a task or an owner',
  input: z.strictObject({ task: z.optional(short), owner: z.optional(short) }),
  output: z.object({ runs: z.array(killOutput) }),
  handle: async (input, { registry, requestId }) => {
    const running = registry.select({ ...input, status: 'running' });
    return { runs: await Promise.all(running.map((run) => killRun(run, requestId))) };
  },
});
