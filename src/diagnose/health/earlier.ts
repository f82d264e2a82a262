import { type Diagnosis, healths, type Thresholds } from '../../model/run/health.js';
import { samplesPerWindow } from './window.js';

/** As bad as a run that waits for an answer. */
const stuckRank = healths.indexOf('likely-stuck');

/** 0: no trouble. */
export function troubleRank({ health, needsAnswer }: Pick<Diagnosis, 'health' | 'needsAnswer'>): number {
  return Math.max(healths.indexOf(health), needsAnswer ? stuckRank : 0);
}

/**
 * Whether a trouble that an earlier supervisor found still stands: the present one sees less of it, has not seen enough to
 * know better, and nothing speaks against it. `lives`: whether a process of the tree is still there.
 */
export function stillStands(
  earlier: Diagnosis,
  now: Diagnosis,
  { lives, thresholds }: { lives(pid: number): boolean; thresholds: Thresholds },
): boolean {
  if (troubleRank(now) >= troubleRank(earlier)) return false;
  if (now.numbers.samples >= samplesPerWindow(thresholds)) return false;
  // The rest of the tree may go on and print.
  if (earlier.findings.length > 0) return earlier.findings.some(({ root }) => lives(root.pid));
  const hasPrinted = now.numbers.silentMs === 0;
  return !hasPrinted && (now.verdict === null || now.verdict.kind === earlier.verdict?.kind);
}
