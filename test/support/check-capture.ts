import { certainties, stuckKinds, type WhyAnswer } from '../../src/model/verdict.js';
import type { Case } from '../fixtures/cases/case.js';
import { isAlarmDoubt } from './check-verdict.js';

const rank = (answer: WhyAnswer): number => certainties.indexOf(answer.verdict.certainty);

/**
 * What is wrong with an answer that was judged from a capture: it must be a right one, or say less than the live answer
 * and name what could not be read.
 */
export function capturedFaultsOf(c: Case, captured: WhyAnswer, live: WhyAnswer): string[] {
  const { kind, certainty, reason, evidence } = captured.verdict;
  const said = `${kind}, ${certainty}: ${reason} [${evidence.join(' | ')}]; live: ${live.verdict.kind}, ${live.verdict.certainty}: ${live.verdict.reason}; missing: ${captured.absent.map(({ fact }) => fact).join(', ')}`;
  const faults: string[] = [];
  const isStarved = c.busy === true && kind === 'starved';
  const isRight = c.kinds.includes(kind) || isStarved || isAlarmDoubt(captured);
  if (certainty === 'certain' && !isRight) faults.push(`wrong and certain: ${said}`);
  if (certainty === 'certain' && c.certain === false) faults.push(`must not be certain: ${said}`);
  if (stuckKinds.has(kind) && certainty === 'high' && c.never?.includes(kind))
    faults.push(`a false alarm: ${said}`);
  // A process may really run at the moment of the capture.
  const isSure = certainty === 'high' && kind !== 'working';
  if (!isRight && (rank(captured) > rank(live) || captured.absent.length === 0 || isSure))
    faults.push(`wrong, and not weaker for a reason: ${said}`);
  return faults;
}

/** A program that has run since, or between the two: what was seen of it is no match of what is asked about. */
export function hasRun(captured: WhyAnswer, live: WhyAnswer): boolean {
  // On a busy machine it wants to run, and waits for a CPU.
  return [captured, live].some(({ verdict: { kind } }) => kind === 'working' || kind === 'starved');
}
