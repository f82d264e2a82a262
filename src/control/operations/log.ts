import * as z from 'zod/mini';
import { runId, status, whole } from './fields.js';
import { operation } from './operation.js';

/** D3. */
const linesDefault = 200;
const linesMax = 10_000;

export const log = operation({
  name: 'log',
  summary: 'lines of the output of a run',
  input: z.strictObject({
    id: runId,
    /** The first line wanted, counted from 0; without it the last `limit` lines. */
    offset: z.optional(whole),
    limit: z._default(whole.check(z.maximum(linesMax)), linesDefault),
    plain: z._default(z.boolean(), false),
  }),
  output: z.object({
    id: z.string(),
    status,
    lines: z.array(z.string()),
    /** Number of the first line of `lines`. */
    offset: z.number(),
    totalLines: z.number(),
    /** Lines at the beginning that were given up for the disk cap. */
    droppedLines: z.number(),
  }),
  handle: async ({ id, ...which }, { registry, signal }) => {
    const run = registry.get(id);
    return { id: run.id, status: run.status, ...(await run.log.view.lines(which, signal)) };
  },
});
