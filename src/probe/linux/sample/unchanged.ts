import os from 'node:os';
import { isAbsent } from '../../../model/facts/absence.js';
import type { ProcessSample } from '../../../model/facts/sample.js';
import { readText } from '../proc/proc-file.js';

/** Up to this number every thread gets a turn within some ten milliseconds (a slice is about three). */
const runnablePerCpuMax = 4;

const runnableMax = runnablePerCpuMax * os.availableParallelism();

/** Whether a runnable thread may have to wait for long; `0.65 1.81 2.33 2/80 7670`: two of eighty are runnable. */
export function isCrowded(): boolean {
  const text = readText('/proc/loadavg');
  const runnable = isAbsent(text) ? null : / (\d+)\/\d+ /.exec(text);
  return runnable === null || Number(runnable[1]) > runnableMax;
}

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
