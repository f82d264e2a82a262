import type { RunningTest } from '../../model/facts/stack.js';
import type { Diagnosis } from '../../model/run/health.js';
import type { CodePlace, WhyAnswer } from '../../model/verdict.js';
import { testWords } from './code-place.js';

interface Placed extends CodePlace {
  reason: string;
  next: string[];
}

/** A diagnosis with the code places of a later answer about the same snapshot. Nothing else of it changes. */
export function withPlaces(diagnosis: Diagnosis, { verdict, findings }: WhyAnswer): Diagnosis {
  const placed = diagnosis.findings.map((finding) => {
    const later = findings.find(({ root }) => root.pid === finding.root.pid);
    return later === undefined ? finding : placedAt(finding, later);
  });
  const before = [...diagnosis.findings, diagnosis.verdict].find((one) => one?.test !== undefined)?.test;
  const test = placed.find((finding) => finding.test !== undefined)?.test ?? verdict.test;
  return {
    ...diagnosis,
    reason: withTest(diagnosis.reason, before, test),
    verdict: diagnosis.verdict === null ? null : placedAt(diagnosis.verdict, verdict),
    findings: placed,
  };
}

function placedAt<T extends Placed>(one: T, { test, stack, next }: Placed): T {
  return {
    ...one,
    reason: withTest(one.reason, one.test, test),
    // A step that asks for stacks is left out where stacks are shown.
    next: one.next.filter((step) => !step.startsWith('see the stacks') || next.includes(step)),
    ...(test === undefined ? {} : { test }),
    ...(stack === undefined ? {} : { stack }),
  };
}

/** A sentence names a single test: the test that is known best. */
export function withTest(
  reason: string,
  before: RunningTest | undefined,
  test: RunningTest | undefined,
): string {
  if (test === undefined || reason.includes(testWords(test))) return reason;
  const bare = before === undefined ? reason : reason.replace(`; ${testWords(before)}`, '');
  return `${bare}; ${testWords(test)}`;
}
