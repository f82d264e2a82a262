import type { Snapshot } from '../../src/model/facts/snapshot.js';
import type { WhyAnswer } from '../../src/model/verdict.js';
import type { Case } from '../fixtures/cases/case.js';

/** What is wrong with an answer to a case; empty when nothing is. `complete`: with all evidence at hand. */
export function faultsOf(c: Case, answer: WhyAnswer, complete: boolean): string[] {
  const { kind, certainty, command, evidence } = answer.verdict;
  const faults: string[] = [];
  const said = `${kind}, ${certainty}: ${answer.verdict.reason} [${evidence.join(' | ')}]`;
  // A program that wants a core may have to wait for it on a busy machine.
  const isStarved = c.busy === true && kind === 'starved';
  if (!c.kinds.includes(kind) && !isStarved) faults.push(`expected ${c.kinds.join(' or ')}, got ${said}`);
  if (c.never?.includes(kind)) faults.push(`must never be ${kind}, got ${said}`);
  if (c.certain === true && complete && certainty !== 'certain') faults.push(`expected certain, got ${said}`);
  if (c.certain === false && certainty === 'certain') faults.push(`must not be certain, got ${said}`);
  const blocker = answer.processes.find(({ pid }) => pid === answer.verdict.pid);
  const named = `${command} ${blocker?.doing ?? ''}`;
  if (c.blocker !== undefined && !named.includes(c.blocker))
    faults.push(`expected ${c.blocker} to be named, got ${named}`);
  if (c.says !== undefined && !c.says.test(answer.verdict.reason))
    faults.push(`expected ${c.says}, got ${said}`);
  return faults;
}

/**
 * Whether all that a proof needs was at hand. In a tree of several processes this includes that no process of the machine has
 * an alarm, which only root can read, and which is not ours to choose. On a busy machine a search through all processes may
 * have been ended before its end.
 */
export function canBeProven({ alarms, processes, absent }: Snapshot): boolean {
  if (absent.some(({ detail }) => /was stopped after/.test(detail ?? ''))) return false;
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
