import * as z from 'zod/mini';
import { agent, boundedOutput, exit, health, outputLost, reader, status, whole } from './fields.js';
import { operation } from './operation.js';
import { findRun, ownRun } from './own-run.js';
import { readOn } from './read-on.js';

export const poll = operation({
  name: 'poll',
  summary: 'how a run is, and what it printed since this reader asked last',
  input: z.strictObject({
    ...ownRun,
    reader,
    /** At most so many characters of output, 1,000 if not given, 2,000 of one that has ended; the log has it all. */
    limit: z.optional(whole),
    /** Control sequences removed, and what was painted over collapsed to what a person would see. */
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
    agent,
    /** What does not go as it was asked for, such as a pattern that is not used any more; absent: nothing. */
    warnings: z.optional(z.array(z.string())),
  }),
  handle: ({ id, owner, ...how }, { registry, requestId }) => {
    const run = findRun(registry, { id, owner });
    const { state, warnings } = run;
    const answer = { ...state, ...readOn(run, { ...how, requestId }) };
    return warnings.length === 0 ? answer : { ...answer, warnings: [...warnings] };
  },
});
