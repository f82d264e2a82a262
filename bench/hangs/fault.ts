import type { CaseResult } from './run-case.js';
import { markOf } from './score.js';

/** What Unstuck got wrong, worst first; null: nothing. */
export function faultOf(result: CaseResult): string | null {
  if (result.broken !== null) return `not scored, ${result.broken}`;
  const mark = markOf(result, 'unstuck');
  if (mark === null) return null;
  if (mark.wrongWhileCertain) return 'WRONG WHILE CERTAIN';
  if (mark.falseAlarm) return 'FALSE ALARM';
  if (mark.missed) return 'MISSED';
  return mark.rightVerdict ? null : 'wrong verdict';
}
