import * as z from 'zod/mini';
import { ambiguous } from './shared/fields.js';
import { operation } from './shared/operation.js';
import { onRun, ownRun } from './shared/own-run.js';

const output = z.object({
  id: z.string(),
  paused: z.boolean(),
  /** false: it was so already. */
  changed: z.boolean(),
  ambiguous,
});

export const pause = operation({
  name: 'pause',
  summary: 'stop all processes of a run for a while (SIGSTOP); its time limits do not go on',
  input: z.strictObject(ownRun),
  output,
  handle: onRun(async (run, _, { requestId }) => {
    const changed = await run.setPaused(true, requestId);
    return { id: run.id, paused: run.pauses.isPaused, changed };
  }),
});

export const resume = operation({
  name: 'resume',
  summary: 'let a paused run go on (SIGCONT)',
  input: z.strictObject(ownRun),
  output,
  handle: onRun(async (run, _, { requestId }) => {
    const changed = await run.setPaused(false, requestId);
    return { id: run.id, paused: run.pauses.isPaused, changed };
  }),
});
