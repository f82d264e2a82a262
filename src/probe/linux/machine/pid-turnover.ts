import { isAbsent } from '../../../model/facts/absence.js';
import { readText } from '../proc/proc-file.js';

/** Nothing is known of the owner of a pid at that time. */
export const longAgo = Number.NEGATIVE_INFINITY;

/**
 * How many processes and threads this machine has started since boot. Each took the next free pid, and the pids start
 * over only after the last: the difference between two counts shows whether a pid can have been assigned twice.
 * `longAgo`: the kernel does not count.
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
  // A value that could not be read is read again.
  if (!(max > 0)) return 0;
  numbers = max;
  return numbers;
}

/** Half the range of pids is the limit: a fork that fails takes a pid without being counted. */
export function mayHaveTurnedOver(from: number, to: number, max = pidMax()): boolean {
  const given = to - from;
  return !(given >= 0 && given < max / 2);
}

/** Pids assigned within the second before the count, and by forks that failed. */
const uncountedMax = 4096;

/** Whether the pids after this pid may have wrapped around, so that lower pids are newer. */
export function mayHaveWrapped(pid: number, from: number, to: number, max = pidMax()): boolean {
  const given = to - from;
  return !(given >= 0 && pid + 2 * given + uncountedMax < max);
}
