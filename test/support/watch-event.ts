import * as z from 'zod/mini';
import { healths } from '../../src/model/run/health.js';

const health = z.enum(healths);
const text = z.string();
/** Fields may be added; these are there. */
const diagnosis = z.looseObject({
  health,
  confidence: text,
  severity: text,
  reason: text,
  safeToKill: z.boolean(),
  recommendation: text,
  evidence: z.array(text),
});
const finding = z.looseObject({ kind: text, certainty: text, pid: z.number(), name: text, reason: text });

const event = <Kind extends string, Fields extends object>(kind: Kind, fields: Fields) =>
  z.looseObject({ at: text, pid: z.number(), on: z.optional(text), kind: z.literal(kind), ...fields });

/** One line of `unstuck watch --json`. */
export const watchEvent = z.union([
  event('started', { version: z.literal(1), label: text, command: text }),
  event('heartbeat', {
    label: text,
    monitoredMs: z.number(),
    programs: z.array(z.looseObject({ name: text, count: z.number() })),
    cpuPercent: z.number(),
    residentBytes: z.number(),
    metrics: z.looseObject({}),
    health,
    reason: text,
  }),
  event('health', { diagnosis }),
  event('needs-input', { diagnosis }),
  event('finding', { finding }),
  event('ended', { monitoredMs: z.number(), health: z.nullable(health) }),
]);
