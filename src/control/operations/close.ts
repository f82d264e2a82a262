import * as z from 'zod/mini';
import { runId } from './fields.js';
import { operation } from './operation.js';

export const close = operation({
  name: 'close',
  summary: 'end the stdin of a run: the command reads end of file after all that was written',
  input: z.strictObject({ id: runId }),
  output: z.object({
    id: z.string(),
    /** false: it was closed before. */
    closed: z.boolean(),
  }),
  handle: ({ id }, { registry, requestId }) => {
    const run = registry.get(id);
    const { closed } = run.needInput(requestId).close(requestId);
    run.answered();
    return { id: run.id, closed };
  },
});
