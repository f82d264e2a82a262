import * as z from 'zod/mini';
import { Failure } from '../../model/failure.js';
import { ambiguous, runId } from './shared/fields.js';
import { operation } from './shared/operation.js';
import { onRun } from './shared/own-run.js';

const cells = z.number().check(z.int(), z.minimum(1), z.maximum(10_000));

export const resize = operation({
  name: 'resize',
  summary: 'change the size of the terminal of a run',
  input: z.strictObject({ id: runId, rows: cells, columns: cells }),
  output: z.object({ id: z.string(), rows: z.number(), columns: z.number(), ambiguous }),
  handle: onRun((run, size, { requestId }) => {
    if (run.record.background.input !== 'pty') {
      throw new Failure('bad-input', `${run.id} has no terminal`, 'start it with --pty');
    }
    run.acts.needInput(requestId).resize(size);
    return { id: run.id, ...size };
  }),
});
