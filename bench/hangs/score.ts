// Pure: from what everybody said to how good they were.
import { stuckKinds, type VerdictKind } from '../../src/model/verdict.js';
import { mean } from '../measure.js';
import type { JudgeName } from './judges.js';
import type { CaseResult } from './run-case.js';

/** How one judge did on one case. */
export interface Mark {
  alarmMs: number | null;
  falseAlarm: boolean;
  missed: boolean;
  /** The alarm is right or rightly not given, and what it is called is true as well. */
  rightVerdict: boolean;
  wrongWhileCertain: boolean;
  costMs: number;
}

export interface Score {
  judge: JudgeName;
  stuck: number;
  healthy: number;
  found: number;
  falseAlarms: number;
  rightVerdicts: number;
  wrongWhileCertain: number;
  medianMs: number | null;
  p95Ms: number | null;
  /** CPU per run, mean. */
  costMs: number;
}

function names({ case: c, unstuck }: CaseResult): boolean {
  if (c.names === undefined) return true;
  return unstuck.command.includes(c.names) || unstuck.reason.includes(c.names);
}

/**
 * A healthy run may go without an explanation, or with the honest one that there is none; a stuck one may not. Where many
 * want a CPU, that it does not get one is as true as that it computes.
 */
function isTrueKind({ case: c }: CaseResult, kind: VerdictKind | null): boolean {
  if (c.busy && kind === 'starved') return true;
  return kind === null || kind === 'unknown' ? c.label === 'healthy' : c.kinds.includes(kind);
}

function markUnstuck(result: CaseResult): Mark {
  const { case: c, unstuck } = result;
  const { alarmMs, kind, certainKinds, costMs } = unstuck;
  const falseAlarm = c.label === 'healthy' && alarmMs !== null;
  const missed = c.label === 'stuck' && alarmMs === null;
  const wrong = certainKinds.filter((certain) => !c.kinds.includes(certain) && stuckKinds.has(certain));
  return {
    alarmMs,
    falseAlarm,
    missed,
    rightVerdict:
      !falseAlarm && !missed && isTrueKind(result, kind) && (c.label === 'healthy' || names(result)),
    wrongWhileCertain: wrong.length > 0,
    costMs,
  };
}

/** The usual ways know a kind at best when they give an alarm, and are never said to be certain. */
export function markOf(result: CaseResult, judge: JudgeName): Mark | null {
  if (judge === 'unstuck') return markUnstuck(result);
  const finding = result.ways[judge];
  if (finding === undefined) return null;
  const { label, kinds } = result.case;
  const { alarmMs, claim, costMs } = finding;
  const falseAlarm = label === 'healthy' && alarmMs !== null;
  const missed = label === 'stuck' && alarmMs === null;
  const named = label === 'healthy' || (claim !== null && kinds.includes(claim));
  return {
    alarmMs,
    falseAlarm,
    missed,
    rightVerdict: !falseAlarm && !missed && named,
    wrongWhileCertain: false,
    costMs,
  };
}

export function percentile(values: number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? null;
}

/** Cases that did not do what they are about are left out. */
export function scoreOf(results: CaseResult[], judge: JudgeName): Score {
  const valid = results.filter(({ broken }) => broken === null);
  const marked = valid.flatMap((result) => {
    const mark = markOf(result, judge);
    return mark === null ? [] : [{ result, mark }];
  });
  const stuck = marked.filter(({ result }) => result.case.label === 'stuck');
  const times = stuck.flatMap(({ mark }) => (mark.alarmMs === null ? [] : [mark.alarmMs]));
  const count = (is: (mark: Mark) => boolean) => marked.filter(({ mark }) => is(mark)).length;
  return {
    judge,
    stuck: stuck.length,
    healthy: marked.length - stuck.length,
    found: times.length,
    falseAlarms: count(({ falseAlarm }) => falseAlarm),
    rightVerdicts: count(({ rightVerdict }) => rightVerdict),
    wrongWhileCertain: count(({ wrongWhileCertain }) => wrongWhileCertain),
    medianMs: percentile(times, 0.5),
    p95Ms: percentile(times, 0.95),
    costMs: marked.length === 0 ? 0 : mean(marked.map(({ mark }) => mark.costMs)),
  };
}
