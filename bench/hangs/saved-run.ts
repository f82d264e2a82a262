// One run of the benchmark as it is kept: what the tables and the chart are made from, here and in the docs.
import * as z from 'zod/mini';
import { faultOf } from './fault.js';
import { judgeNames } from './judges.js';
import type { CaseResult } from './run-case.js';

const wordsMax = 300;
const casesMax = 2_000;

const words = z.string().check(z.maxLength(wordsMax));
const amount = z.number().check(z.gte(0));
const judge = z.enum(judgeNames);

const scoreSchema = z.object({
  judge,
  stuck: amount,
  healthy: amount,
  found: amount,
  falseAlarms: amount,
  rightVerdicts: amount,
  wrongWhileCertain: amount,
  medianMs: z.nullable(amount),
  p95Ms: z.nullable(amount),
  costMs: amount,
});

const caseSchema = z.object({
  name: words,
  family: words,
  label: z.enum(['stuck', 'healthy']),
  actor: words,
  kinds: words,
  watchedMs: amount,
  broken: z.nullable(words),
  /** What Unstuck got wrong; absent: nothing. */
  fault: z.optional(words),
  unstuck: z.object({
    alarmMs: z.nullable(amount),
    kind: z.nullable(words),
    health: words,
    confidence: words,
    costMs: amount,
  }),
  ways: z.partialRecord(judge, z.object({ alarmMs: z.nullable(amount), claim: z.nullable(words) })),
});

const runSchema = z.object({
  about: z.object({ machine: words, wasBusy: z.boolean(), loadAfter: words, tookMs: amount }),
  scale: z.looseObject({ factor: amount }),
  scores: z.array(scoreSchema).check(z.minLength(1), z.maxLength(judgeNames.length)),
  cases: z.array(caseSchema).check(z.maxLength(casesMax)),
  skipped: z.array(z.object({ name: words, why: words })).check(z.maxLength(casesMax)),
});

export type SavedRun = z.infer<typeof runSchema>;
export type SavedCase = z.infer<typeof caseSchema>;

/** Throws when it is none. */
export function parseSavedRun(text: string): SavedRun {
  return runSchema.parse(JSON.parse(text));
}

function rounded(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms);
}

/** No path of this machine: of a case only its name and its label, of an answer only what is compared. */
export function savedCase(result: CaseResult): SavedCase {
  const { case: c, unstuck, ways, watchedMs, broken } = result;
  const { alarmMs, kind, health, confidence, costMs } = unstuck;
  return {
    name: c.name,
    family: c.family,
    label: c.label,
    actor: c.actor,
    kinds: c.kinds.join(' or '),
    watchedMs: Math.round(watchedMs),
    broken: broken === null ? null : (broken.split(':')[0] ?? ''),
    // What a tool said when it ended may be a path.
    fault: broken === null ? (faultOf(result) ?? undefined) : undefined,
    unstuck: { alarmMs: rounded(alarmMs), kind, health, confidence, costMs: Math.round(costMs) },
    ways: Object.fromEntries(
      Object.entries(ways).map(([name, way]) => [name, { alarmMs: rounded(way.alarmMs), claim: way.claim }]),
    ),
  };
}
