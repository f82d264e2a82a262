import { isAbsent } from '../../../model/facts/absence.js';
import { readText } from '../proc/proc-file.js';

/** Nothing is known of who had a number at that time. */
export const longAgo = Number.NEGATIVE_INFINITY;

/**
 * How many processes and threads this machine has started since boot. Each took the next free number, and only
 * after the last one comes the first again: the difference between two counts tells whether a number can have
 * been given twice. `longAgo`: the kernel does not count.
 */
export function countForks(): number {
  const text = readText('/proc/stat');
  const count = isAbsent(text) ? 0 : Number(/^processes (\d+)$/m.exec(text)?.[1] ?? 0);
  return count === 0 ? longAgo : count;
}

let numbers: number | undefined;

function pidMax(): number {
  if (numbers !== undefined) return numbers;
  const text = readText('/proc/sys/kernel/pid_max');
  const max = isAbsent(text) ? 0 : Number(text);
  // What could not be read is asked for again.
  if (!(max > 0)) return 0;
  numbers = max;
  return numbers;
}

/** Half the circle is the limit: a fork that fails takes a number without being counted. */
export function mayHaveTurnedOver(from: number, to: number, max = pidMax()): boolean {
  const given = to - from;
  return !(given >= 0 && given < max / 2);
}

/** Given within the second before anybody counted, and by forks that failed. */
const uncountedMax = 4096;

/** Whether numbers after this one may have reached the end of the circle, so that lower ones are newer. */
export function mayHaveWrapped(pid: number, from: number, to: number, max = pidMax()): boolean {
  const given = to - from;
  return !(given >= 0 && pid + 2 * given + uncountedMax < max);
}
