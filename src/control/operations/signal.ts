import * as z from 'zod/mini';
import { sendableSignals } from '../../model/run/sendable-signals.js';
import { ambiguous } from './shared/fields.js';
import { operation } from './shared/operation.js';
import { onRun, ownRun } from './shared/own-run.js';

export const signal = operation({
  name: 'signal',
  summary:
    'send a signal to a run: INT, QUIT and HUP to its session, TERM to its tree, others to the command alone',
  input: z.strictObject({ ...ownRun, signal: z.enum(sendableSignals) }),
  output: z.object({
    id: z.string(),
    signal: z.enum(sendableSignals),
    /** The processes that got it. */
    pids: z.array(z.number()),
    ambiguous,
  }),
  handle: onRun(async (run, { signal: name }, { requestId }) => {
    const { pids } = await run.signal(name, requestId);
    return { id: run.id, signal: name, pids };
  }),
});
