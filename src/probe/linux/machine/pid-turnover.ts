import { isAbsent } from '../../../model/facts/absence.js';
import type { KernelFiles } from '../kernel/kernel.js';
import { liveFiles } from '../kernel/live-files.js';

/** Nothing is known of the owner of a pid at that time. */
export const longAgo = Number.NEGATIVE_INFINITY;

/**
 * How many processes and threads this machine has started since boot. Each took the next free pid, and the pids start
 * over only after the last: the difference between two counts shows whether a pid can have been assigned twice.
 * `longAgo`: the kernel does not count.
 */
export function countForks(files: KernelFiles = liveFiles): number {
  const text = files.text('/proc/stat');
  const count = isAbsent(text) ? 0 : Number(/^processes (\d+)$/m.exec(text)?.[1] ?? 0);
  return count === 0 ? longAgo : count;
}

let numbers: number | undefined;

function pidMax(): number {
  if (numbers !== undefined) return numbers;
  const text = liveFiles.text('/proc/sys/kernel/pid_max');
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

/** Whether a pid can have been assigned to a new process (or thread). */
export type Given = (pid: number) => boolean;

/** The last pid that was assigned: the fifth field of /proc/loadavg (proc(5)). null: not shown. */
export function readLastGiven(files: KernelFiles): number | null {
  const text = files.text('/proc/loadavg');
  const last = isAbsent(text) ? 0 : Number(/ (\d+)\s*$/.exec(text)?.[1] ?? 0);
  return last === 0 ? null : last;
}

/** Pids are assigned in order, and after the highest comes the lowest again. */
export function givenBetween(from: number, to: number): Given {
  return to >= from ? (pid) => pid > from && pid <= to : (pid) => pid > from || pid <= to;
}

/** Shows which pids may have been reused between two readings of /proc. */
export class NumbersGiven {
  readonly #files: KernelFiles;
  #last: number | null = null;
  #forks = Number.NaN;

  constructor(files: KernelFiles = liveFiles) {
    this.#files = files;
  }

  sinceLastTime(): Given {
    const before = { last: this.#last, forks: this.#forks };
    this.#last = readLastGiven(this.#files);
    this.#forks = countForks(this.#files);
    if (before.last === null || this.#last === null) return () => true;
    // So many new processes that the pids may have wrapped around.
    if (mayHaveTurnedOver(before.forks, this.#forks)) return () => true;
    return givenBetween(before.last, this.#last);
  }
}
