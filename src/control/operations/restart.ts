import * as z from 'zod/mini';
import type { BackgroundRun } from '../../registry/background-run.js';
import { keptRequest } from '../../registry/start/kept-request.js';
import { graceS, killOutput, killRun } from './kill.js';
import { ambiguous } from './shared/fields.js';
import { operation } from './shared/operation.js';
import { onRun, ownRun } from './shared/own-run.js';
import { callerFields, startedRun, startOutput } from './start.js';

type Caller = z.output<z.ZodMiniObject<typeof callerFields>>;

export const restart = operation({
  name: 'restart',
  summary: 'stop a run and start the same request again, with the same label',
  input: z.strictObject({ ...ownRun, graceS, ...callerFields }),
  output: z.extend(startOutput, {
    /** The run that was stopped. */
    replaced: killOutput,
    ambiguous,
  }),
  handle: onRun(async (run, { graceS: grace, ...caller }, { registry, requestId }) => {
    // A run that cannot be started again is not stopped.
    const request = requestOf(run, caller);
    run.acts.noteReplaced(requestId);
    const replaced = await killRun(registry.restarts.latestOf(run), requestId, { grace, registry });
    const next = await registry.start(request, requestId);
    return { ...startedRun(next), replaced };
  }),
});

export const rerun = operation({
  name: 'rerun',
  summary: 'start the request of a run once more, with the same label',
  input: z.strictObject({ ...ownRun, ...callerFields }),
  output: z.extend(startOutput, {
    /** The run whose request it was. */
    of: z.string(),
    ambiguous,
  }),
  handle: onRun(async (run, caller, { registry, requestId }) => {
    const next = await registry.start(requestOf(run, caller), requestId);
    return { ...startedRun(next), of: run.id };
  }),
});

/** The request as it was, in the environment of the caller. */
function requestOf(run: BackgroundRun, caller: Caller) {
  const { inChain, ...request } = keptRequest(run);
  const given = Object.fromEntries(Object.entries(caller).filter(([, value]) => value !== undefined));
  return { ...request, ...given };
}
