import type { HealthTick, Thresholds } from '../../model/run/health.js';
import type { PolledAddress, Verdict, VerdictKind } from '../../model/verdict.js';
import { formatDuration } from '../../text/duration.js';
import { testWords } from '../stacks/code-place.js';

/** An address on which no process listens, and which the tree has tried to reach at every snapshot. */
export interface Polling extends PolledAddress {
  /** Consecutive snapshots, each with more failed attempts than the one before. */
  samples: number;
  forMs: number;
}

/** A tree that computes is not held up by a port. */
const computesPercent = 25;
/** A server may take its time to start: nothing is reported before so many samples. */
const samplesBefore = 3;

/** A thread that was on its way between two sleeps shows no address. */
const atWork: ReadonlySet<VerdictKind> = new Set(['working', 'starved']);

export function nextPolling(
  before: Polling | null,
  { verdict, printed, sample }: HealthTick,
  { whole, countedMs }: { whole: boolean; countedMs: number },
): Polling | null {
  if (printed || sample.cpuPercent > computesPercent) return null;
  const forMs = (before?.forMs ?? 0) + countedMs;
  if (verdict === null || (verdict.polls === undefined && atWork.has(verdict.kind)))
    return before === null ? null : { ...before, forMs };
  const { polls } = verdict;
  if (polls === undefined) return null;
  const isSame = before !== null && before.pid === polls.pid && before.address === polls.address;
  if (!isSame) return { ...polls, samples: 1, forMs: 0 };
  if (!whole) return { ...before, forMs };
  return polls.failedAttempts > before.failedAttempts
    ? { ...polls, samples: before.samples + 1, forMs }
    : { ...polls, samples: 1, forMs: 0 };
}

/** Whether it is worth a report that no process listens. */
export function isPolling(polling: Polling | null, { proofSamples, sampleMs }: Thresholds): boolean {
  return polling !== null && polling.samples >= proofSamples && polling.forMs >= samplesBefore * sampleMs;
}

/** The verdict on the tree, as a wait for that port. */
export function asPolling(verdict: Verdict, { pid, name, address, forMs }: Polling): Verdict {
  const reason = `${name}(${pid}) polls ${address}, on which no process has listened for ${formatDuration(forMs)}`;
  return {
    ...verdict,
    kind: 'network',
    certainty: 'medium',
    pid,
    reason: verdict.test === undefined ? reason : `${reason}; ${testWords(verdict.test)}`,
    evidence: [
      ...verdict.evidence,
      `the address ${address} is left in its memory by its last attempts, and more attempts to connect have failed at every snapshot`,
    ],
    next: [`start what should listen on ${address}`, `stop it: kill ${pid}`],
  };
}
