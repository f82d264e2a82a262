import * as z from 'zod/mini';
import { graceS, killOutput, killRun } from './kill.js';
import { short } from './shared/fields.js';
import { operation } from './shared/operation.js';

/** Concurrent kills share one scan of the process table, but each keeps its own list of foreign processes. */
const atOnceMax = 100;

export const killAll = operation({
  name: 'killAll',
  summary: 'stop all runs, or those of a task or an owner',
  input: z.strictObject({ task: z.optional(short), owner: z.optional(short), graceS }),
  output: z.object({ runs: z.array(killOutput) }),
  handle: async ({ graceS: grace, ...filter }, { registry, requestId }) => {
    const running = registry.select({ ...filter, status: 'running' });
    for (const run of registry.select(filter)) {
      if (registry.restarts.isPending(run)) registry.restarts.callOff(run, 'it was stopped on request');
    }
    const runs: Awaited<ReturnType<typeof killRun>>[] = [];
    const killNext = async (): Promise<void> => {
      for (let run = running.shift(); run !== undefined; run = running.shift()) {
        runs.push(await killRun(run, requestId, { grace, registry }));
      }
    };
    await Promise.all(Array.from({ length: atOnceMax }, killNext));
    return { runs };
  },
});
