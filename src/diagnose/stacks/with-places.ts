import type { Diagnosis } from '../../model/health.js';
import type { CodePlace, WhyAnswer } from '../../model/verdict.js';
import { testWords } from './code-place.js';

/** A diagnosis with the code places of a later answer about the same snapshot. Nothing else of it changes. */
export function withPlaces(diagnosis: Diagnosis, { verdict, findings }: WhyAnswer): Diagnosis {
  const placed = diagnosis.findings.map((finding) => {
    const later = findings.find(({ root }) => root.pid === finding.root.pid);
    return later === undefined ? finding : { ...finding, ...placeOf(later) };
  });
  const known = [diagnosis.verdict, ...diagnosis.findings].find((one) => one?.test !== undefined)?.test;
  const test = placed.find((finding) => finding.test !== undefined)?.test ?? verdict.test;
  const isNew = test !== undefined && test.name !== known?.name && !diagnosis.reason.includes(test.name);
  return {
    ...diagnosis,
    reason: isNew ? `${diagnosis.reason}; ${testWords(test)}` : diagnosis.reason,
    verdict: diagnosis.verdict === null ? null : { ...diagnosis.verdict, ...placeOf(verdict) },
    findings: placed,
  };
}

function placeOf({ test, stack }: CodePlace): CodePlace {
  return { ...(test === undefined ? {} : { test }), ...(stack === undefined ? {} : { stack }) };
}
