import * as z from 'zod/mini';
import { giveRun } from '../../registry/give-run.js';
import { short } from './shared/fields.js';
import { operation } from './shared/operation.js';

export const handOver = operation({
  name: 'handOver',
  summary: 'give all runs of an owner to another owner, or to none',
  input: z.strictObject({ from: short, to: z.nullable(short) }),
  output: z.object({ ids: z.array(z.string()) }),
  handle: ({ from, to }, { registry }) => {
    const runs = registry.select({ owner: from });
    for (const run of runs) giveRun(run, to);
    return { ids: runs.map(({ id }) => id) };
  },
});
