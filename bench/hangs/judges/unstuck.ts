import type { Diagnosis } from '../../../src/model/run/health.js';
import type { RunReport } from '../../../src/model/run/run.js';
import type { VerdictKind } from '../../../src/model/verdict.js';
import type { TimedEvent } from '../unstuck-run.js';

/** What Unstuck said of one run, from its events and its report. */
export interface UnstuckFinding {
  /** When it first called it stuck, or said that somebody must answer; null: never. */
  alarmMs: number | null;
  /** Its last word; null: there was nothing to explain. */
  kind: VerdictKind | null;
  health: string;
  confidence: string;
  reason: string;
  /** The program at the end of the chain. */
  command: string;
  /** Kinds it was certain of at any time. */
  certainKinds: VerdictKind[];
}

function isAlarm(diagnosis: Diagnosis): boolean {
  return diagnosis.needsAnswer || diagnosis.severity === 'error' || diagnosis.severity === 'critical';
}

/** A command that is stopped or a zombie proves it by its state, without a verdict. */
function kindOf({ verdict, confidence, reason, findings }: Diagnosis): VerdictKind | null {
  // A stuck part is what it reports; the verdict is about the rest of the tree.
  if (findings[0] !== undefined) return findings[0].kind;
  if (verdict !== null || confidence !== 'certain') return verdict?.kind ?? null;
  return reason.includes('stopped') ? 'stopped' : 'zombie';
}

function diagnosisOf({ event }: TimedEvent): Diagnosis | null {
  return event.kind === 'health' || event.kind === 'needs-input' ? event.diagnosis : null;
}

/** The first alarm so far. */
export function alarmOf(events: TimedEvent[]): number | null {
  const found = events.find((timed) => {
    const diagnosis = diagnosisOf(timed);
    return diagnosis !== null && isAlarm(diagnosis);
  });
  return found?.ms ?? null;
}

/** The command has ended and somebody was left behind: told at the end, in a warning. */
export function leftBehindOf(events: TimedEvent[], report: RunReport | null): UnstuckFinding | null {
  if (report === null || report.leftBehind.length === 0) return null;
  const told = events.find(({ event }) => event.kind === 'warning' && event.message.includes('left running'));
  return {
    alarmMs: told?.ms ?? null,
    kind: 'lingering',
    health: 'ended',
    confidence: 'high',
    reason: told?.event.kind === 'warning' ? told.event.message : '',
    command: report.leftBehind.map(({ command }) => command).join(', '),
    certainKinds: [],
  };
}

/** We end every run: a look that was being taken then saw processes end, or dead ones that were still to be collected. */
function sawTheEnd({ verdict }: Diagnosis): boolean {
  return verdict?.kind === 'zombie' || verdict?.reason.includes('ended during the snapshot') === true;
}

/** What it said while it called it stuck outlasts what it says of the end; of a healthy run, the last word counts. */
export function findingOf(events: TimedEvent[], report: RunReport | null): UnstuckFinding {
  const told = events.map(diagnosisOf).filter((diagnosis) => diagnosis !== null);
  const said = [...told, ...(report?.diagnosis ? [report.diagnosis] : [])];
  const last = told.findLast(isAlarm) ?? said.findLast((diagnosis) => !sawTheEnd(diagnosis)) ?? null;
  const certain = told.filter(({ confidence }) => confidence === 'certain').map(kindOf);
  return {
    alarmMs: alarmOf(events),
    kind: last === null ? null : kindOf(last),
    health: last?.health ?? 'healthy',
    confidence: last?.confidence ?? 'low',
    reason: last?.reason ?? '',
    command: last?.findings[0]?.command ?? last?.verdict?.command ?? '',
    certainKinds: [...new Set(certain.filter((kind) => kind !== null))],
  };
}
