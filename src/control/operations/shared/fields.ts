import * as z from 'zod/mini';
import { inputKinds, runStatuses } from '../../../model/run/background.js';
import { healths } from '../../../model/run/health.js';
import { lossCauses } from '../../../model/run/output-lost.js';
import { provenances, stops } from '../../../model/run/run.js';

/** Fields shared by operations. Unknown fields are refused: a typo must not pass unnoticed. */

/** Enough for any command line the kernel takes. */
export const textMax = 4 * 1024 * 1024;

export const shortMax = 200;
export const short = z.string().check(z.maxLength(shortMax));

/** The whole id, a unique prefix of at least 4 characters (`run_` may be omitted), or the label. */
export const runId = z.string().check(z.minLength(1), z.maxLength(shortMax));

/** Since when its place cannot be reached; absent: it can be. */
export const unreachableSince = z.optional(z.string());
/** It was paused on request; absent: it is not. */
export const paused = z.optional(z.literal(true));

/** Several runs have the label that was given: which one was taken; absent: no other can be meant. */
export const ambiguous = z.optional(
  z.object({ label: z.string(), others: z.array(z.string()), message: z.string() }),
);

export const whole = z.number().check(z.int(), z.minimum(0));

/** Each reader has its own position in the output of a run. */
export const reader = z._default(z.string().check(z.regex(/^[\w.:@+-]{1,64}$/)), 'default');

export const exit = z.object({
  code: z.nullable(z.number()),
  signal: z.nullable(z.string()),
  provenance: z.enum(provenances),
  stopped: z.optional(z.enum(stops)),
});

export const status = z.enum(runStatuses);
/** null: the run has ended; see `exit` and `why`. */
export const health = z.nullable(z.enum(healths));
export const inputKind = z.enum(inputKinds);

/** See `Estimate`. */
export const estimate = z.optional(
  z.object({
    usualMs: z.nullable(z.number()),
    fraction: z.nullable(z.number()),
    leftMs: z.nullable(z.number()),
    errorMs: z.nullable(z.number()),
    from: z.nullable(z.enum(['progress', 'history'])),
    /** As a sentence. */
    text: z.string(),
  }),
);

/** Bounded output: its beginning and its end, and how much is omitted in between. */
export const boundedOutput = {
  output: z.string(),
  /** Characters omitted in the middle. */
  omitted: z.number(),
};

/** Output that is missing in the log, as on a full disk; absent: no loss is known. */
export const outputLost = z.optional(z.object({ cause: z.enum(lossCauses), message: z.string() }));
