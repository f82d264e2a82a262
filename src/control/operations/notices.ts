import * as z from 'zod/mini';
import { healths } from '../../model/health.js';
import { noticeKinds } from '../../model/notice.js';
import { exit, outputLost, short, whole } from './fields.js';
import { operation } from './operation.js';

const consumer = z._default(z.string().check(z.regex(/^[\w.:@+-]{1,64}$/)), 'default');

/** E6, E7. */
export const notices = operation({
  name: 'notices',
  summary: 'what runs had to tell: ends, matches, questions; given until they are acknowledged',
  input: z.strictObject({
    /** Whoever reads: each has its own acknowledgements. The same name as its `reader` in poll and wait. */
    consumer,
    /** Acknowledges everything up to this number, before anything is given. */
    ack: z.optional(whole),
    /** Only those after this number, acknowledged or not: for whoever has the others already. */
    after: z.optional(whole),
    /** Only those of a task or an owner. */
    task: z.optional(short),
    owner: z.optional(short),
    limit: z._default(whole.check(z.maximum(1000)), 100),
    /** Wait so long for one when there is none; at most 180 s. */
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
        /** This consumer was given it before and has not acknowledged it. */
        repeat: z.boolean(),
        /** This consumer, as a reader, has got the news from wait or poll already. */
        known: z.boolean(),
      }),
    ),
    /** Acknowledge this to be given only newer ones. */
    last: z.number(),
    /** How many more there are than were given. */
    more: z.number(),
  }),
  handle: (input, { registry, signal }) => registry.readNotices(input, signal),
});
