import * as z from 'zod/mini';
import {
  ambiguous,
  boundedOutput,
  exit,
  health,
  outputLost,
  paused,
  reader,
  status,
  unreachableSince,
  whole,
} from './shared/fields.js';
import { operation } from './shared/operation.js';
import { onRun, ownRun } from './shared/own-run.js';
import { readOn } from './shared/read-on.js';
import { agent } from './shared/run-facts.js';

export const poll = operation({
  name: 'poll',
  summary: 'the state of a run, and its output since the last poll of this reader',
  input: z.strictObject({
    ...ownRun,
    reader,
    /** Maximum characters of output; default 1,000, or 2,000 after the end. The log has everything. */
    limit: z.optional(whole),
    /** Removes control sequences, and keeps only the final state of overwritten lines. */
    plain: z._default(z.boolean(), false),
  }),
  output: z.object({
    id: z.string(),
    status,
    ...boundedOutput,
    health,
    /** One short sentence. */
    why: z.string(),
    exit: z.optional(exit),
    outputLost,
    paused,
    unreachableSince,
    agent,
    /** Problems, such as a pattern that is no longer used; absent: none. */
    warnings: z.optional(z.array(z.string())),
    ambiguous,
  }),
  handle: onRun((run, how, { requestId }) => {
    const { state, warnings } = run;
    const answer = { ...state, ...readOn(run, { ...how, requestId }) };
    return warnings.length === 0 ? answer : { ...answer, warnings: [...warnings] };
  }),
});
