import os from 'node:os';
import { isAbsent } from '../../../model/facts/absence.js';
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
