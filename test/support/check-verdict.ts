import type { Snapshot } from '../../src/model/facts/snapshot.js';
import { type Finding, stuckKinds, type WhyAnswer } from '../../src/model/verdict.js';
import type { Case } from '../fixtures/cases/case.js';

/** What is wrong with an answer to a case; empty when nothing is. `complete`: with all evidence at hand. */
export function faultsOf(c: Case, answer: WhyAnswer, complete: boolean): string[] {
  const { kind, certainty, command, evidence } = answer.verdict;
  const faults: string[] = [];
  const said = `${kind}, ${certainty}: ${answer.verdict.reason} [${evidence.join(' | ')}]`;
  // A program that wants a core may have to wait for it on a busy machine.
  const isStarved = c.busy === true && kind === 'starved';
  const isDoubted = !complete && isAlarmDoubt(answer);
  if (!c.kinds.includes(kind) && !isStarved && !isDoubted)
    faults.push(`expected ${c.kinds.join(' or ')}, got ${said}`);
  if (c.never?.includes(kind)) faults.push(`must never be ${kind}, got ${said}`);
  if (c.certain === true && complete && certainty !== 'certain') faults.push(`expected certain, got ${said}`);
  if (c.certain === false && certainty === 'certain') faults.push(`must not be certain, got ${said}`);
  const part = answer.findings[0];
  if (c.certain === false && answer.findings.some((finding) => finding.certainty === 'certain'))
    faults.push(`a stuck part must not be certain, got ${part?.reason}`);
  if (c.part === false && part !== undefined) faults.push(`expected no stuck part, got ${part.reason}`);
  if (c.part === true && complete && part === undefined) faults.push('expected a stuck part, got none');
  if (c.limited === true && (part?.limit === undefined || isAlarm(part)))
    faults.push(`expected a stuck part with what ends it soon, got ${part?.certainty}: ${part?.reason}`);
  if (c.limited === false && part?.limit !== undefined)
    faults.push(`expected no limit of the stuck part: ${part.reason}`);
  if (c.relieved && answer.verdict.relieved !== true) faults.push(`expected it to be relieved, got ${said}`);
  const blocker = answer.processes.find(({ pid }) => pid === answer.verdict.pid);
  const named = `${command} ${blocker?.doing ?? ''}`;
  if (c.blocker !== undefined && !named.includes(c.blocker))
    faults.push(`expected ${c.blocker} to be named, got ${named}`);
  if (c.says !== undefined && !c.says.test(answer.verdict.reason))
    faults.push(`expected ${c.says}, got ${said}`);
  return faults;
}

/** What is wrong with an answer to a case at any moment, also while its program still moves. */
export function wrongsOf(c: Case, { verdict, findings }: WhyAnswer): string[] {
  const { kind, certainty, reason } = verdict;
  const said = `${kind}, ${certainty}: ${reason}`;
  const isExpected = c.kinds.includes(kind);
  const isFalse = !isExpected && stuckKinds.has(kind) && certainty === 'high';
  return [
    ...(certainty === 'certain' && !isExpected ? [`wrong and certain: ${said}`] : []),
    ...(certainty === 'certain' && c.certain === false ? [`must not be certain: ${said}`] : []),
    ...(c.never?.includes(kind) || isFalse ? [`a false alarm: ${said}`] : []),
    ...(c.limited === true
      ? findings.filter(isAlarm).map((finding) => `an alarm before the limit: ${finding.reason}`)
      : []),
    ...(c.part === false ? findings.map((finding) => `expected no stuck part: ${finding.reason}`) : []),
  ];
}

function isAlarm({ certainty }: Finding): boolean {
  return certainty === 'high' || certainty === 'certain';
}

/** Another test's alarm was set while the processes of this case ran: the list of alarms does not show whose it is. */
export function isAlarmDoubt({ verdict: { kind, certainty, reason } }: WhyAnswer): boolean {
  return kind === 'timer' && certainty !== 'certain' && /may have set an alarm/.test(reason);
}

/**
 * Whether all that a proof needs was at hand. In a tree of several processes this includes that no process of the machine has
 * an alarm, which only root can read, and which is not ours to choose. On a busy machine a search through all processes may
 * have been ended before its end.
 */
export function canBeProven({ alarms, processes, searched }: Snapshot): boolean {
  if (searched.cut !== null) return false;
  return alarms === false || processes.filter(({ inTree }) => inTree).length === 1;
}

/** Kinds that stat, schedstat and control groups prove without the calls. */
const provenWithoutCalls = new Set(['working', 'stopped', 'zombie', 'frozen']);

/** Without the right to read calls and memory an answer may be vague, but neither certain nor a false alarm. */
export function degradedFaultsOf(c: Case, { verdict, absent }: WhyAnswer): string[] {
  const said = `${verdict.kind}, ${verdict.certainty}: ${verdict.reason} [${verdict.evidence.join(' | ')}]`;
  const faults: string[] = [];
  if (verdict.certainty === 'certain' && !provenWithoutCalls.has(verdict.kind))
    faults.push(`degraded, yet ${said}`);
  if (verdict.certainty === 'high' && c.never?.includes(verdict.kind))
    faults.push(`degraded to a false ${said}`);
  if (!absent.some(({ fact }) => fact.startsWith('system calls')))
    faults.push('does not say that calls could not be read');
  return faults;
}
