import * as z from 'zod/mini';
import { operation } from './shared/operation.js';
import { onRun, ownRun } from './shared/own-run.js';
import { inputMax, writeOutput, writeTo } from './write.js';

export const submit = operation({
  name: 'submit',
  summary: 'write a line to the stdin of a run, with Enter at its end',
  input: z.strictObject({
    ...ownRun,
    data: z._default(z.string().check(z.maxLength(inputMax)), ''),
    timeoutS: z._default(z.number().check(z.minimum(0), z.maximum(60)), 2),
  }),
  output: writeOutput,
  handle: onRun((run, { data, timeoutS }, { requestId, signal }) => {
    // A terminal translates the carriage return of the Enter key into a newline.
    const enter = run.record.background.input === 'pty' ? '\r' : '\n';
    return writeTo(run, Buffer.from(data + enter), { timeoutS, requestId, signal });
  }),
});
