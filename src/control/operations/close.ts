import * as z from 'zod/mini';
import { ambiguous } from './shared/fields.js';
import { operation } from './shared/operation.js';
import { onRun, ownRun } from './shared/own-run.js';

export const close = operation({
  name: 'close',
  summary: 'close the stdin of a run: the command reads end of file after everything written',
  input: z.strictObject(ownRun),
  output: z.object({
    id: z.string(),
    /** false: it was already closed. */
    closed: z.boolean(),
    ambiguous,
  }),
  handle: onRun((run, _, { requestId }) => {
    const { closed } = run.acts.needInput(requestId).close(requestId);
    run.answered();
    return { id: run.id, closed };
  }),
});
