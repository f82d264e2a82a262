import type { WhyAnswer } from '../../src/model/verdict.js';
import type { Case } from '../fixtures/cases/case.js';

/** What is wrong with an answer to a case; empty when nothing is. `complete`: with all evidence at hand. */
export function faultsOf(c: Case, answer: WhyAnswer, complete: boolean): string[] {
  const { kind, certainty, command, evidence } = answer.verdict;
  const faults: string[] = [];
  const said = `${kind}, ${certainty}: ${answer.verdict.reason} [${evidence.join(' | ')}]`;
  if (!c.kinds.includes(kind)) faults.push(`expected ${c.kinds.join(' or ')}, got ${said}`);
  if (c.never?.includes(kind)) faults.push(`must never be ${kind}, got ${said}`);
  if (c.certain === true && complete && certainty !== 'certain') faults.push(`expected certain, got ${said}`);
  if (c.certain === false && certainty === 'certain') faults.push(`must not be certain, got ${said}`);
  const blocker = answer.processes.find(({ pid }) => pid === answer.verdict.pid);
  const named = `${command} ${blocker?.doing ?? ''}`;
  if (c.blocker !== undefined && !named.includes(c.blocker))
    faults.push(`expected ${c.blocker} to be named, got ${named}`);
  return faults;
}
