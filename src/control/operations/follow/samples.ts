import * as z from 'zod/mini';
import { columnsOf } from '../../../model/run/sample-points.js';
import { runId, whole } from '../shared/fields.js';
import { operation } from '../shared/operation.js';

const runsMax = 200;
const numbers = z.array(z.number());

export const samples = operation({
  name: 'samples',
  summary: 'CPU, memory, I/O and output of runs over time: fine for the last hour, coarser before',
  input: z.strictObject({
    /** Runs that no longer exist are left out. */
    ids: z.array(runId).check(z.maxLength(runsMax)),
    /** Only points after this time, in milliseconds of the wall clock. */
    afterMs: z.optional(z.number()),
    /** At most this many of the newest points. */
    last: z.optional(whole),
  }),
  output: z.object({
    runs: z.array(
      z.object({
        id: z.string(),
        atMs: numbers,
        forMs: numbers,
        cpuPercent: numbers,
        residentBytes: numbers,
        ioBytes: z.array(z.nullable(z.number())),
        outputBytes: numbers,
      }),
    ),
  }),
  handle: ({ ids, afterMs, last }, { registry }) => {
    const known = new Map(registry.select({}).map((run) => [run.id, run]));
    return {
      runs: ids.flatMap((id) => {
        const run = known.get(id);
        if (run === undefined) return [];
        const points = run.samples.read().filter(({ atMs }) => afterMs === undefined || atMs > afterMs);
        const shown = last === undefined ? points : points.slice(Math.max(0, points.length - last));
        return [{ id, ...columnsOf(shown) }];
      }),
    };
  },
});
