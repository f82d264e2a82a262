import * as z from 'zod/mini';
import { waitMsMax, wakeUps } from '../../model/background.js';
import { RunWaiter } from '../../supervise/background/run-waiter.js';
import { agent, boundedOutput, exit, health, outputLost, reader, short, shortMax } from './fields.js';
import { operation } from './operation.js';
import { findRun, ownRun } from './own-run.js';
import { readOn } from './read-on.js';

export const wait = operation({
  name: 'wait',
  summary: 'wait until a run ends, needs input, is stuck, prints something, opens a port or goes quiet',
  input: z.strictObject({
    ...ownRun,
    /** Longer than 180 s is cut to that, and the answer says so: ask again. */
    timeoutS: z._default(z.number().check(z.minimum(0)), 180),
    /** Whichever comes first. `exit` always counts. */
    until: z._default(z.array(z.enum(wakeUps)), ['exit', 'needs-input', 'stuck']),
    /** For `match`: a text, or /a regular expression/ with flags; looked for line by line from this reader's place on. */
    match: z.optional(z.string().check(z.minLength(1), z.maxLength(1000))),
    /** For `port`: this one; without it any port that a process of the run listens on. */
    port: z.optional(z.number().check(z.int(), z.minimum(1), z.maximum(65_535))),
    /** For `quiet`: no output for so long, 10 s if not given. */
    quietS: z.optional(z.number().check(z.minimum(0.05))),
    reader,
    plain: z._default(z.boolean(), false),
  }),
  output: z.object({
    id: z.string(),
    /** What ended the wait. `timeout` is no failure: the run goes on. */
    status: z.enum(['exited', 'lost', 'timeout', 'needs-input', 'stuck', 'match', 'port', 'quiet']),
    exit: z.optional(exit),
    outputLost,
    health,
    why: z.string(),
    agent,
    waitedS: z.number(),
    /** The time limit was cut to the longest there is. */
    clamped: z.boolean(),
    /** The line that matched. */
    line: z.optional(short),
    port: z.optional(z.number()),
    /** Since this reader asked last. */
    ...boundedOutput,
  }),
  handle: async ({ id, owner, reader, plain, ...request }, { registry, signal, requestId }) => {
    const run = findRun(registry, { id, owner });
    const waiter = new RunWaiter(run, request, run.log.cursors.placeOf(reader, requestId));
    const woken = await waiter.wait(signal);
    // What comes after the line is for the next wait to find.
    const to = woken.status === 'match' ? { to: woken.match.end } : {};
    return {
      ...run.state,
      status: woken.status,
      waitedS: Math.round(waiter.waitedMs / 10) / 100,
      clamped: request.timeoutS * 1000 > waitMsMax,
      ...(woken.status === 'match' && { line: woken.match.line.slice(0, shortMax) }),
      ...(woken.status === 'port' && { port: woken.port }),
      ...readOn(run, { reader, requestId, plain, ...to }),
    };
  },
});
