import type { HealthTick, Thresholds } from '../../model/run/health.js';
import type { Finding } from '../../model/verdict.js';

/** A stuck part of the tree, followed from snapshot to snapshot. */
export interface StuckPart {
  finding: Finding;
  /**
   * Consecutive samples in which the part was found, without any of its threads having run in between. A process that
   * was left behind may run: it keeps the output open all the same.
   */
  samples: number;
}

/** `whole`: whether this tick is a whole sample and may count. */
export function nextParts(
  before: readonly StuckPart[],
  { findings, living, canAnswer }: Pick<HealthTick, 'findings' | 'living' | 'canAnswer'>,
  whole: boolean,
): readonly StuckPart[] {
  if (findings === null)
    return before.length === 0 ? before : before.filter(({ finding }) => living.has(finding.root.pid));
  return findings
    .filter(({ kind, certainty }) => isSure(certainty) && (kind !== 'needs-input' || !canAnswer))
    .map((finding) => {
      const known = before.find((part) => stoodStill(part.finding, finding));
      return { finding, samples: (known?.samples ?? 0) + (whole ? 1 : 0) };
    });
}

/** What is less sure is shown, and no alarm. */
function isSure(certainty: Finding['certainty']): boolean {
  return certainty === 'high' || certainty === 'certain';
}

export function provenParts(parts: readonly StuckPart[], { proofSamples }: Thresholds): Finding[] {
  return parts
    .filter(({ samples, finding }) => samples >= proofSamples && lasts(finding))
    .map(({ finding }) => finding);
}

/** A shorter stop may end at once, as with cpulimit and debuggers. */
const haltMsMin = 10_000;

function lasts({ kind, sinceMs }: Finding): boolean {
  return (kind !== 'stopped' && kind !== 'frozen') || (sinceMs ?? 0) >= haltMsMin;
}

function stoodStill(before: Finding, now: Finding): boolean {
  return (
    before.root.pid === now.root.pid &&
    before.root.startTicks === now.root.startTicks &&
    before.kind === now.kind &&
    (now.kind === 'lingering' || before.runs === now.runs) &&
    isSameInside(before, now)
  );
}

/** The same threads, in the same waits. */
export function isSameInside({ inside: before }: Finding, { inside: now }: Finding): boolean {
  if (before === undefined || now === undefined) return before === now;
  return (
    before.threads.length === now.threads.length &&
    before.threads.every(
      ({ name, waitsFor }, index) =>
        name === now.threads[index]?.name && waitsFor === now.threads[index].waitsFor,
    )
  );
}
