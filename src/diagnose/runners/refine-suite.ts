import type { RunningTest } from '../../model/facts/stack.js';
import { type Diagnosis, type Health, healths, severities } from '../../model/run/health.js';
import type { Certainty, Verdict, VerdictKind } from '../../model/verdict.js';
import { formatDuration } from '../../text/duration.js';
import { withTest } from '../stacks/with-places.js';
import type { SuiteState } from './suite.js';
import { runnerRows } from './table.js';

/** A timer may still do something; it gets this many times the patience. */
const timerPatience = 4;

/** A tree that uses more CPU than this does something: a test may poll a port and listen on another. */
const idlePercent = 0.5;

/** Verdicts of a process that runs, or is kept from running by others: it is not held open. */
const atWork: ReadonlySet<VerdictKind> = new Set([
  'working',
  'starved',
  'stopped',
  'frozen',
  'zombie',
  'lock',
]);

const watchFlag = /\s(?:--watch(?:All)?\b|-w\b|--ui\b|--looponfail\b|-f\b.*pytest)/;

export interface SuiteFacts {
  suite: SuiteState;
  /** The running test as the output names it. */
  test: RunningTest | null;
  nowMs: number;
  /** A runner that has printed its end gets this long to end. */
  patienceMs: number;
  /** Command lines of the tree, to check whether the runner still lives. */
  commands(): readonly string[];
}

/** Combines the kernel evidence with the output of a test runner. Output alone makes nothing certain. */
export function refineSuite(diagnosis: Diagnosis, facts: SuiteFacts): Diagnosis {
  const { suite, test } = facts;
  const held = heldOpen(diagnosis, facts);
  if (test === null || (held !== null && suite.endedAtMs !== null)) return held ?? diagnosis;
  return nameTest(held ?? diagnosis, test);
}

/** For how long a snapshot has been due because the suite has ended; negative: it is not due. */
export function suiteOverdueMs(
  { endedAtMs, watches }: SuiteState,
  nowMs: number,
  patienceMs: number,
): number {
  return endedAtMs === null || watches ? -1 : nowMs - endedAtMs - patienceMs;
}

function heldOpen(diagnosis: Diagnosis, facts: SuiteFacts): Diagnosis | null {
  const { suite, nowMs, commands } = facts;
  const { verdict, numbers, confidence } = diagnosis;
  if (verdict === null || atWork.has(verdict.kind) || suite.watches) return null;
  const idleMs = numbers.silentMs;
  const patienceMs = facts.patienceMs * (verdict.kind === 'timer' ? timerPatience : 1);
  const row = runnerRows.find(({ runner }) => runner === suite.runner);
  if (row !== undefined && suite.endedAtMs !== null) {
    const agoMs = nowMs - suite.endedAtMs;
    if (agoMs < patienceMs || idleMs < patienceMs * 0.9 || !livesOn(row.command, commands())) return null;
    const sure = confidence === 'certain' ? confidence : 'medium';
    return reportHeld(diagnosis, verdict, sure, {
      reason: `${row.runner} has ended its tests ${formatDuration(agoMs)} ago and still runs: ${verdict.reason}`,
      advice: row.advice,
      stop: 'its tests are over, stop it',
    });
  }
  // A process that runs a file of tests and only listens: its tests are over, or wait for a client that does not come.
  const isIdle = numbers.cpuPercent < idlePercent;
  const isTestProcess = isIdle && verdict.kind === 'service' && verdict.test?.from === 'arguments';
  if (!isTestProcess || idleMs < facts.patienceMs || commands().some((line) => watchFlag.test(line)))
    return null;
  return reportHeld(diagnosis, verdict, 'medium', {
    reason: `the process of a test file only listens since ${formatDuration(idleMs)}, no test of it does anything: ${verdict.reason}`,
    advice: runnerRows.find(({ runner }) => runner === 'node --test')?.advice ?? null,
    stop: 'stop it',
  });
}

function livesOn(command: RegExp, commands: readonly string[]): boolean {
  return commands.some((line) => command.test(line)) && !commands.some((line) => watchFlag.test(line));
}

function reportHeld(
  diagnosis: Diagnosis,
  verdict: Verdict,
  certainty: Certainty,
  { reason, advice, stop }: { reason: string; advice: string | null; stop: string },
): Diagnosis {
  const health: Health = worse(diagnosis.health, 'likely-stuck');
  const next = [...(advice === null ? [] : [advice]), `${stop}: kill ${verdict.pid}`];
  const kind = certainty === 'certain' ? verdict.kind : 'lingering';
  return {
    ...diagnosis,
    health,
    confidence: health === diagnosis.health ? diagnosis.confidence : certainty,
    severity: severities[health],
    reason,
    recommendation: next.join(', or '),
    verdict: { ...verdict, kind, certainty, reason, next },
    evidence: diagnosis.evidence.length > 0 ? diagnosis.evidence : verdict.evidence,
  };
}

function worse(a: Health, b: Health): Health {
  return healths.indexOf(a) > healths.indexOf(b) ? a : b;
}

/** The output counts where no better source names the test. */
function nameTest(diagnosis: Diagnosis, test: RunningTest): Diagnosis {
  const { verdict, health, reason } = diagnosis;
  if (health === 'healthy' || verdict === null) return diagnosis;
  if (verdict.test !== undefined && verdict.test.from !== 'arguments') return diagnosis;
  // Where only a process that was left behind is waited for, no test runs.
  const isOver = diagnosis.findings.some(({ kind }) => kind === 'lingering');
  if (isOver || diagnosis.findings.some((finding) => finding.test !== undefined)) return diagnosis;
  const file = test.file ?? verdict.test?.file ?? null;
  const named = { ...test, file };
  return {
    ...diagnosis,
    reason: withTest(reason, verdict.test, named),
    verdict: { ...verdict, test: named },
  };
}
