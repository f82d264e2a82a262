import * as z from 'zod/mini';
import { short } from './fields.js';
import { operation } from './operation.js';

export const handOver = operation({
  name: 'handOver',
  summary: 'give all runs of an owner to another one, or to nobody',
  input: z.strictObject({ from: short, to: z.nullable(short) }),
  output: z.object({ ids: z.array(z.string()) }),
  handle: ({ from, to }, { registry }) => {
    const runs = registry.select({ owner: from });
    for (const { record, directory } of runs) {
      // On the disk first: whoever adopts it must find the same.
      directory.writeRecord({ ...record, background: { ...record.background, owner: to } });
      record.background.owner = to;
    }
    return { ids: runs.map(({ id }) => id) };
  },
});
