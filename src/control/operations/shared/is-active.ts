import * as z from 'zod/mini';
import { Failure } from '../../../model/failure.js';
import { short } from './fields.js';
import { operation } from './operation.js';

export const isActive = operation({
  name: 'isActive',
  summary: 'whether any run of a task, an owner or a tag is running',
  input: z.strictObject({ task: z.optional(short), owner: z.optional(short), tag: z.optional(short) }),
  output: z.object({ active: z.boolean(), ids: z.array(z.string()) }),
  handle: (filter, { registry }) => {
    if (Object.values(filter).every((value) => value === undefined)) {
      throw new Failure('bad-input', 'isActive: nothing was named', 'give a task, an owner or a tag');
    }
    const ids = registry.select({ ...filter, status: 'running' }).map(({ id }) => id);
    return { active: ids.length > 0, ids };
  },
});
