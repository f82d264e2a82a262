import * as z from 'zod/mini';
import type { AgentFacts } from '../../model/agent.js';
import { inputKinds, runStatuses } from '../../model/background.js';
import { healths } from '../../model/health.js';
import { lossCauses } from '../../model/output-lost.js';
import { provenances } from '../../model/run.js';

/** Fields that more than one operation has. Unknown fields are refused: a typing error must not pass in silence. */

/** Enough for any command line the kernel takes. */
export const textMax = 4 * 1024 * 1024;

export const shortMax = 200;
export const short = z.string().check(z.maxLength(shortMax));

/** The whole id, or any beginning of 4 characters or more that only one run has; `run_` may be left out. */
export const runId = z.string().check(z.minLength(4), z.maxLength(16));

export const whole = z.number().check(z.int(), z.minimum(0));

/** Each reader of a run has a place of its own in its output. */
export const reader = z._default(z.string().check(z.regex(/^[\w.:@+-]{1,64}$/)), 'default');

export const exit = z.object({
  code: z.nullable(z.number()),
  signal: z.nullable(z.string()),
  provenance: z.enum(provenances),
});

export const status = z.enum(runStatuses);
/** null: the run has ended; how it ended is in `exit` and `why`. */
export const health = z.nullable(z.enum(healths));
export const inputKind = z.enum(inputKinds);

/** Output for whoever pays for every character: the first and the last of it, and how much is left out between. */
export const boundedOutput = {
  output: z.string(),
  /** Characters left out of the middle. */
  omitted: z.number(),
};

/** Printed, and not in the log, as on a full disk; absent: nothing, as far as is known. */
export const outputLost = z.optional(z.object({ cause: z.enum(lossCauses), message: z.string() }));

/** Made by Unstuck itself: typed for callers, not checked again. */
export function unchecked<Output, Input = Output>(): z.ZodMiniType<Output, Input> {
  return z.unknown() as unknown as z.ZodMiniType<Output, Input>;
}

/** C7: turn, tool in flight, tokens, result, as in a heartbeat; only of agents whose events are known. */
export const agent = z.optional(unchecked<AgentFacts>());
