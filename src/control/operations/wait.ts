import * as z from 'zod/mini';
import { waitMsMax, wakeUps } from '../../model/run/background.js';
import type { BackgroundRun } from '../../registry/background-run.js';
import { RunWaiter, type Woken } from '../../registry/run-waiter.js';
import {
  ambiguous,
  boundedOutput,
  exit,
  health,
  outputLost,
  paused,
  reader,
  short,
  shortMax,
} from './shared/fields.js';
import { operation } from './shared/operation.js';
import { onRun, ownRun } from './shared/own-run.js';
import { readOn } from './shared/read-on.js';
import { agent } from './shared/run-facts.js';

/** What to wait for, and how the output is read afterwards. */
export const waitInput = {
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
};

export const waitEnds = [
  'exited',
  'lost',
  'timeout',
  'needs-input',
  'stuck',
  'match',
  'port',
  'quiet',
] as const;

/** The state of one run when the wait has ended. */
export const waitedRun = {
  id: z.string(),
  exit: z.optional(exit),
  outputLost,
  paused,
  health,
  why: z.string(),
  agent,
  /** The line that matched. */
  line: z.optional(short),
  port: z.optional(z.number()),
  /** Output since the last request of this reader. */
  ...boundedOutput,
  ambiguous,
};

export const waited = {
  waitedS: z.number(),
  /** The time limit was cut to the maximum. */
  clamped: z.boolean(),
};

export const wait = operation({
  name: 'wait',
  summary: 'wait until a run ends, needs input, is stuck, prints a text, opens a port or goes quiet',
  input: z.strictObject({ ...ownRun, ...waitInput }),
  output: z.object({
    ...waitedRun,
    /** What ended the wait. `timeout` is not an error: the run goes on. */
    status: z.enum(waitEnds),
    ...waited,
  }),
  handle: onRun(async (run, { reader, plain, ...request }, { signal, requestId }) => {
    const waiter = new RunWaiter(run, request, run.log.cursors.placeOf(reader, requestId));
    const woken = await waiter.wait(signal);
    return {
      ...wokenRun(run, woken, { reader, requestId, plain }),
      ...waitedFor(waiter.waitedMs, request.timeoutS),
    };
  }),
});

interface ReadingOn {
  reader: string;
  requestId: string;
  plain: boolean;
}

/** What ended the wait for a run, with its output since. */
export function wokenRun(run: BackgroundRun, woken: Woken, how: ReadingOn) {
  // The next wait starts behind the matching line.
  const to = woken.status === 'match' ? { to: woken.match.end } : {};
  return {
    ...run.state,
    status: woken.status,
    ...(woken.status === 'match' && { line: woken.match.line.slice(0, shortMax) }),
    ...(woken.status === 'port' && { port: woken.port }),
    ...readOn(run, { ...how, ...to }),
  };
}

export function waitedFor(ms: number, timeoutS: number): { waitedS: number; clamped: boolean } {
  return { waitedS: Math.round(ms / 10) / 100, clamped: timeoutS * 1000 > waitMsMax };
}
