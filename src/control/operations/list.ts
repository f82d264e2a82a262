import * as z from 'zod/mini';
import { short, status } from './shared/fields.js';
import { listedRun, listedRunOf } from './shared/listed-run.js';
import { operation } from './shared/operation.js';

export const list = operation({
  name: 'list',
  summary: 'list the runs in the background',
  input: z.strictObject({
    task: z.optional(short),
    owner: z.optional(short),
    status: z.optional(status),
    tag: z.optional(short),
  }),
  output: z.object({
    runs: z.array(listedRun),
    /** Run directories that cannot be read; they are set aside, never deleted. */
    unreadable: z.array(z.object({ directory: z.string(), reason: z.string() })),
  }),
  handle: (input, { registry }) => ({
    runs: registry.select(input).map((run) => listedRunOf(registry, run)),
    unreadable: registry.setAside.map(({ directory, reason }) => ({ directory, reason })),
  }),
});
