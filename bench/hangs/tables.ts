import { formatDuration } from '../../src/model/duration.js';
import type { Table } from '../report.js';
import { judgeWords } from './judges.js';
import type { CaseResult } from './run-case.js';
import type { Scale } from './scale.js';
import { markOf, type Score } from './score.js';

/** As long as it would have taken with the default settings. */
function inFull(ms: number | null, { factor }: Scale): string {
  return ms === null ? '-' : formatDuration(ms * factor);
}

export function tableOfJudges(scores: Score[], scale: Scale): Table {
  return {
    title: 'Who can tell working from waiting from stuck',
    note: `Times are multiplied by ${scale.factor} again: what it takes with default settings. CPU is that of the judge itself, per run.`,
    head: [
      '',
      'stuck, found',
      'healthy, false alarms',
      'right verdict',
      'wrong while certain',
      'time, median',
      'p95',
      'CPU',
    ],
    rows: scores.map((score) => [
      judgeWords[score.judge],
      `${score.found} of ${score.stuck}`,
      `${score.falseAlarms} of ${score.healthy}`,
      `${score.rightVerdicts} of ${score.stuck + score.healthy}`,
      score.judge === 'unstuck' ? String(score.wrongWhileCertain) : '-',
      inFull(score.medianMs, scale),
      inFull(score.p95Ms, scale),
      `${Math.round(score.costMs)} ms`,
    ]),
  };
}

export function tableByFamily(results: CaseResult[], scores: Score[]): Table {
  const valid = results.filter(({ broken }) => broken === null);
  const families = [...new Set(valid.map(({ case: c }) => c.family))];
  return {
    title: 'Right about stuck or not, by family',
    head: ['', 'cases', ...scores.map(({ judge }) => judgeWords[judge])],
    rows: families.map((family) => {
      const members = valid.filter(({ case: c }) => c.family === family);
      const right = scores.map(({ judge }) => {
        const marks = members.map((result) => markOf(result, judge));
        return String(marks.filter((mark) => mark !== null && !mark.falseAlarm && !mark.missed).length);
      });
      return [family, `${members.length} ${members[0]?.case.label ?? ''}`, ...right];
    }),
  };
}

function faultOf(result: CaseResult): string | null {
  if (result.broken !== null) return `not scored, ${result.broken}`;
  const mark = markOf(result, 'unstuck');
  if (mark === null) return null;
  if (mark.wrongWhileCertain) return 'WRONG WHILE CERTAIN';
  if (mark.falseAlarm) return 'FALSE ALARM';
  if (mark.missed) return 'MISSED';
  return mark.rightVerdict ? null : 'wrong verdict';
}

/** One line of progress. */
export function verdictLine(result: CaseResult): string {
  const { case: c, unstuck } = result;
  const fault = faultOf(result);
  const said = `${unstuck.health}, ${unstuck.confidence}${unstuck.kind === null ? '' : `, ${unstuck.kind}`}`;
  return `${fault === null ? 'ok ' : 'NO '} ${c.name} (${c.label}): ${fault === null ? said : `${fault}: ${said}`}`;
}

/** Everything Unstuck got wrong, by name; empty: nothing. */
export function listOfMisses(results: CaseResult[]): string {
  const lines = results.flatMap((result) => {
    const fault = faultOf(result);
    if (fault === null) return [];
    const { case: c, unstuck } = result;
    return [
      `- ${c.name} (${c.label}; ${c.kinds.join(' or ')}): ${fault}. Unstuck said ${unstuck.health}, ${unstuck.confidence}, ${unstuck.kind ?? 'no verdict'}: ${unstuck.reason}`,
    ];
  });
  return lines.length === 0 ? '' : `## What Unstuck got wrong\n\n${lines.join('\n')}\n`;
}

export function skippedTable(skipped: { name: string; why: string }[]): Table {
  return { title: 'Not here', head: ['case', 'why'], rows: skipped.map(({ name, why }) => [name, why]) };
}
