import * as z from 'zod/mini';
import { graceS } from '../kill.js';
import { ambiguous, whole } from '../shared/fields.js';
import { operation } from '../shared/operation.js';
import { onRun, ownRun } from '../shared/own-run.js';
import { receipt } from '../shared/run-facts.js';

export const killPart = operation({
  name: 'killPart',
  summary: 'stop one process of a run with everything it started; the rest goes on',
  input: z.strictObject({
    ...ownRun,
    /** A process of the run, but not its command. */
    pid: whole,
    /** Field 22 of /proc/PID/stat: proves that the pid was not reused meanwhile. */
    startTicks: whole,
    graceS,
  }),
  output: z.object({ id: z.string(), receipt, ambiguous }),
  handle: onRun(async (run, { pid, startTicks, graceS: grace }) => ({
    id: run.id,
    receipt: await run.acts.killPart(
      { pid, startTicks },
      grace === undefined ? run.settings.graceMs : grace * 1000,
    ),
  })),
});
