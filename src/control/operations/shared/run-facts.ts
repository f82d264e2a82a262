import * as z from 'zod/mini';
import { agentNames, agentScreenStates, agentSignKinds } from '../../../model/run/agent.js';
import { memberships, receiptResults } from '../../../model/run/receipt.js';

/** Facts about a run that operations return; the types are those of `model/run`. */

const shownText = { text: z.string(), agoMs: z.number() };

/** Turn, running tool, tokens and result, as in a heartbeat; only for agents whose events are known. */
export const agent = z.optional(
  z.object({
    name: z.enum(agentNames),
    events: z.number(),
    heartbeats: z.number(),
    turn: z.number(),
    tool: z.nullable(z.object({ name: z.string(), forMs: z.number() })),
    toolsInFlight: z.number(),
    toolsInBackground: z.number(),
    waits: z.nullable(z.object({ for: z.literal('model'), forMs: z.number() })),
    tokens: z.nullable(z.number()),
    lastEvent: z.nullable(z.object({ kind: z.enum(agentSignKinds), agoMs: z.number() })),
    result: z.nullable(z.object({ ok: z.boolean(), ...shownText })),
    permission: z.nullable(z.object(shownText)),
    retries: z.number(),
    compactions: z.number(),
    errors: z.number(),
    trouble: z.nullable(z.string()),
    screen: z.optional(z.object({ shows: z.enum(agentScreenStates), text: z.string(), forMs: z.number() })),
  }),
);

/** The screen of a run that has a terminal. */
export const screen = z.optional(
  z.object({
    shows: z.enum([...agentScreenStates, 'lively']),
    name: z.nullable(z.string()),
    text: z.string(),
    forMs: z.number(),
    cpuPercent: z.number(),
  }),
);

/** What was stopped, and what was not. */
export const receipt = z.object({
  at: z.string(),
  tookMs: z.number(),
  rounds: z.number(),
  whole: z.boolean(),
  processes: z.array(
    z.object({
      pid: z.number(),
      startTicks: z.number(),
      command: z.string(),
      because: z.array(z.enum(memberships)),
      signals: z.array(z.string()),
      result: z.enum(receiptResults),
    }),
  ),
  survivors: z.array(z.number()),
  ports: z.array(z.object({ port: z.number(), free: z.boolean() })),
});
