import * as z from 'zod/mini';
import { short } from './fields.js';
import { operation } from './operation.js';

export const isActive = operation({
  name: 'isActive',
  summary: 'whether any run of a task is running',
  input: z.strictObject({ task: short }),
  output: z.object({ active: z.boolean(), ids: z.array(z.string()) }),
  handle: ({ task }, { registry }) => {
    const ids = registry.select({ task, status: 'running' }).map(({ id }) => id);
    return { active: ids.length > 0, ids };
  },
});
