import * as z from 'zod/mini';
import { sendableSignals } from '../../model/run/sendable-signals.js';
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
    const changed = await run.acts.setPaused(true, requestId);
    return { id: run.id, paused: run.pauses.isPaused, changed };
  }),
});

export const resume = operation({
  name: 'resume',
  summary: 'let a paused run go on (SIGCONT)',
  input: z.strictObject(ownRun),
  output,
  handle: onRun(async (run, _, { requestId }) => {
    const changed = await run.acts.setPaused(false, requestId);
    return { id: run.id, paused: run.pauses.isPaused, changed };
  }),
});

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
    const { pids } = await run.acts.signal(name, requestId);
    return { id: run.id, signal: name, pids };
  }),
});
