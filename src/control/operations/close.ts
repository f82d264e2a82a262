import * as z from 'zod/mini';
import { operation } from './shared/operation.js';
import { findRun, ownRun } from './shared/own-run.js';

export const close = operation({
  name: 'close',
  summary: 'close the stdin of a run: the command reads end of file after everything written',
  input: z.strictObject(ownRun),
  output: z.object({
    id: z.string(),
    /** false: it was already closed. */
    closed: z.boolean(),
  }),
  handle: (which, { registry, requestId }) => {
    const run = findRun(registry, which);
    const { closed } = run.needInput(requestId).close(requestId);
    run.answered();
    return { id: run.id, closed };
  },
});
