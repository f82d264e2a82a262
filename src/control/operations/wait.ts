import * as z from 'zod/mini';
import { waitMsMax, wakeUps } from '../../model/run/background.js';
import { RunWaiter } from '../../registry/run-waiter.js';
import {
  ambiguous,
  boundedOutput,
  exit,
  health,
  outputLost,
  reader,
  short,
  shortMax,
} from './shared/fields.js';
import { operation } from './shared/operation.js';
import { onRun, ownRun } from './shared/own-run.js';
import { readOn } from './shared/read-on.js';
import { agent } from './shared/run-facts.js';

export const wait = operation({
  name: 'wait',
  summary: 'wait until a run ends, needs input, is stuck, prints a text, opens a port or goes quiet',
  input: z.strictObject({
    ...ownRun,
    /** At most 180; a longer time is cut and the answer has `clamped`. */
    timeoutS: z._default(z.number().check(z.minimum(0)), 180),
    /** The first event ends the wait. `exit` always does. */
    until: z._default(z.array(z.enum(wakeUps)), ['exit', 'needs-input', 'stuck']),
    /** For `match`: a text or /regular expression/ with flags, matched line by line from the reader's position on. */
    match: z.optional(z.string().check(z.minLength(1), z.maxLength(1000))),
    /** For `port`: this port; default: any port that a process of the run listens on. */
    port: z.optional(z.number().check(z.int(), z.minimum(1), z.maximum(65_535))),
    /** For `quiet`: seconds without output; default 10. */
    quietS: z.optional(z.number().check(z.minimum(0.05))),
    reader,
    plain: z._default(z.boolean(), false),
  }),
  output: z.object({
    id: z.string(),
    /** What ended the wait. `timeout` is not an error: the run goes on. */
    status: z.enum(['exited', 'lost', 'timeout', 'needs-input', 'stuck', 'match', 'port', 'quiet']),
    exit: z.optional(exit),
    outputLost,
    health,
    why: z.string(),
    agent,
    waitedS: z.number(),
    /** The time limit was cut to the maximum. */
    clamped: z.boolean(),
    /** The line that matched. */
    line: z.optional(short),
    port: z.optional(z.number()),
    /** Output since the last request of this reader. */
    ...boundedOutput,
    ambiguous,
  }),
  handle: onRun(async (run, { reader, plain, ...request }, { signal, requestId }) => {
    const waiter = new RunWaiter(run, request, run.log.cursors.placeOf(reader, requestId));
    const woken = await waiter.wait(signal);
    // The next wait starts behind the matching line.
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
  }),
});
