import type { ProcessSample } from '../../../model/facts/sample.js';

/** What can change without the process running. */
export function isOther(now: ProcessSample, last: ProcessSample): boolean {
  return now.state !== last.state || now.parent !== last.parent || now.residentPages !== last.residentPages;
}

/** Its only thread was off the CPU and has not been on one since: none of its counters can have changed. */
export function didNotRun(last: ProcessSample, now: NonNullable<ProcessSample['mainThread']>): boolean {
  const before = last.mainThread;
  return (
    before !== null &&
    last.threads === 1 &&
    last.state !== 'R' &&
    before.runs === now.runs &&
    before.ranNs === now.ranNs
  );
}
