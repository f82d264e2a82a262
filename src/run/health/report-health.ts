import type { RunSettings } from '../../config/run-settings.js';
import { isSameInside } from '../../diagnose/health/parts.js';
import type { Diagnosis } from '../../model/run/health.js';
import type { Heartbeat } from '../../model/run/run.js';
import { certainties, type Finding } from '../../model/verdict.js';
import type { News } from '../journal.js';

export interface HealthReports {
  report(news: Extract<News, { kind: 'health' | 'needs-input' | 'finding' }>): void;
}

/** Reports changes since the last diagnosis: a question, another health, or more certainty of a bad health. */
export function reportHealth(journal: HealthReports, before: Diagnosis | null, diagnosis: Diagnosis): void {
  const { health, confidence, needsAnswer } = diagnosis;
  if (needsAnswer && before?.needsAnswer !== true) journal.report({ kind: 'needs-input', diagnosis });
  for (const finding of newFindings(before, diagnosis)) journal.report({ kind: 'finding', finding });
  const surer = health !== 'healthy' && confidence !== before?.confidence;
  if (health !== (before?.health ?? 'healthy') || surer) journal.report({ kind: 'health', diagnosis });
}

/** Whether the health is about to be reported as bad, or as worse or more certain than before. */
export function isWorsening(before: Diagnosis | null, { health, confidence }: Diagnosis): boolean {
  return health !== 'healthy' && (health !== before?.health || confidence !== before.confidence);
}

/** Stuck parts that the last diagnosis did not have. */
export function newFindings(before: Diagnosis | null, { findings }: Diagnosis): Finding[] {
  return findings.filter(
    (finding) =>
      !before?.findings.some(
        (one) => one.root.pid === finding.root.pid && one.kind === finding.kind && isSameInside(one, finding),
      ),
  );
}

/** Why to stop a run that is as certainly stuck as `--kill-on` requires; null: it is not. */
export function reasonToStop(
  { health, confidence, reason, findings }: Diagnosis,
  { killOn, killStuck }: Pick<RunSettings, 'killOn' | 'killStuck'>,
): string | null {
  if (findings.length > 0 && killStuck === 'tree') return `${reason} (--kill-stuck tree)`;
  // Only the stuck parts are stopped, so that the rest can go on.
  if (findings.length > 0 && killStuck === 'part' && confidence !== 'certain') return null;
  if (killOn === 'never' || health === 'healthy' || health === 'suspicious') return null;
  const isSure = certainties.indexOf(confidence) >= certainties.indexOf(killOn);
  return isSure ? `${reason} (--kill-on ${killOn})` : null;
}

/** The stuck parts as a heartbeat reports them. */
export function stuckPartsOf(diagnosis: Diagnosis | null): Pick<Heartbeat, 'stuckParts'> {
  if (diagnosis === null || diagnosis.findings.length === 0) return {};
  return {
    stuckParts: diagnosis.findings.map(({ name, pid, sinceMs }) => ({ name, pid, forMs: sinceMs })),
  };
}
