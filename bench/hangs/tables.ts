import { formatDuration } from '../../src/text/duration.js';
import type { Table } from '../report.js';
import type { Contender } from './contenders.js';
import { faultOf } from './fault.js';
import type { CaseResult } from './run-case.js';
import type { SavedCase } from './saved-run.js';

/** As long as it would have taken with the default settings. */
function inFull(ms: number | null, factor: number): string {
  return ms === null ? '-' : formatDuration(ms * factor);
}

export function tableOfJudges(contenders: Contender[]): Table {
  return {
    title: 'Who can tell working from waiting from stuck',
    note: `Times are multiplied by ${contenders[0]?.factor ?? 1} again: what it takes with default settings. CPU is that of the judge itself, per run.`,
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
    rows: contenders.map(({ words, judge, score, factor }) => [
      words,
      `${score.found} of ${score.stuck}`,
      `${score.falseAlarms} of ${score.healthy}`,
      `${score.rightVerdicts} of ${score.stuck + score.healthy}`,
      judge === 'unstuck' ? String(score.wrongWhileCertain) : '-',
      inFull(score.medianMs, factor),
      inFull(score.p95Ms, factor),
      `${Math.round(score.costMs)} ms`,
    ]),
  };
}

/** Rightly alarmed, or rightly not. */
function isRight({ label, unstuck, ways }: SavedCase, { judge }: Contender): boolean {
  const said = judge === 'unstuck' ? unstuck : ways[judge];
  return said !== undefined && (said.alarmMs !== null) === (label === 'stuck');
}

function rightIn(family: string, contender: Contender, casesOfAll: number): string {
  const members = contender.cases.filter((c) => c.family === family);
  const right = members.filter((c) => isRight(c, contender)).length;
  return members.length === casesOfAll ? String(right) : `${right} of ${members.length}`;
}

export function tableByFamily(contenders: Contender[]): Table {
  const cases = contenders[0]?.cases ?? [];
  return {
    title: 'Right about stuck or not, by family',
    head: ['', 'cases', ...contenders.map(({ words }) => words)],
    rows: [...new Set(cases.map(({ family }) => family))].map((family) => {
      const members = cases.filter((c) => c.family === family);
      return [
        family,
        `${members.length} ${members[0]?.label ?? ''}`,
        ...contenders.map((contender) => rightIn(family, contender, members.length)),
      ];
    }),
  };
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
