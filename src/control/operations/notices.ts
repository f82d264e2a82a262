import * as z from 'zod/mini';
import { noticeKinds } from '../../model/notice.js';
import { healths } from '../../model/run/health.js';
import { exit, outputLost, short, whole } from './shared/fields.js';
import { operation } from './shared/operation.js';

const consumer = z._default(z.string().check(z.regex(/^[\w.:@+-]{1,64}$/)), 'default');

export const notices = operation({
  name: 'notices',
  summary: 'notices of runs: ends, matches, questions; each is given until it is acknowledged',
  input: z.strictObject({
    /** Name of the reader: each has its own acknowledgements. Use the same name as `reader` in poll and wait. */
    consumer,
    /** Acknowledge everything up to this number first. */
    ack: z.optional(whole),
    /** Only notices after this number, acknowledged or not. */
    after: z.optional(whole),
    /** Only notices of this task, this owner, with this tag. */
    task: z.optional(short),
    owner: z.optional(short),
    tag: z.optional(short),
    limit: z._default(whole.check(z.maximum(1000)), 100),
    /** Seconds to wait for a notice when there is none; at most 180. */
    timeoutS: z._default(z.number().check(z.minimum(0)), 0),
  }),
  output: z.object({
    notices: z.array(
      z.object({
        seq: z.number(),
        at: z.string(),
        kind: z.enum(noticeKinds),
        runId: z.nullable(z.string()),
        label: z.nullable(z.string()),
        task: z.nullable(z.string()),
        owner: z.nullable(z.string()),
        tags: z.array(z.string()),
        text: z.string(),
        output: z.string(),
        suppressed: z.number(),
        matches: z.optional(z.number()),
        pattern: z.optional(z.string()),
        exit: z.optional(exit),
        outputLost,
        health: z.optional(z.enum(healths)),
        /** Given to this consumer before and not acknowledged. */
        repeat: z.boolean(),
        /** This consumer, as a reader, has already seen the event in wait or poll. */
        known: z.boolean(),
      }),
    ),
    /** Acknowledge this number to get only newer notices. */
    last: z.number(),
    /** Notices left out because of `limit`. */
    more: z.number(),
  }),
  handle: (input, { registry, signal }) => registry.readNotices(input, signal),
});
