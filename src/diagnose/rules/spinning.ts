import { type Rule, rank } from '../graph/cause.js';
import { isBusy } from './computing.js';

const failedCallsPerMs = 5;

/** Reads and writes by the thousand that move no byte: a loop that retries again and again (EAGAIN). */
export const spinning: Rule<'spinning'> = {
  verdict: 'spinning',
  rank: rank.progress,
  certainty: 'medium',
  detect({ process }, view) {
    const { io } = process;
    if (io === null || !isBusy(process, view)) return null;
    const calls = io.addedReadCalls + io.addedWriteCalls;
    const moved = io.addedReadChars + io.addedWriteChars;
    if (moved > 0 || calls < failedCallsPerMs * view.snapshot.gapMs) return null;
    return { kind: 'spinning', failedCalls: calls };
  },
};
