import { isAbsent } from '../../../model/facts/absence.js';
import { sameFiles } from '../native/kcmp.js';
import { listNumbers, often } from '../proc/proc-file.js';
import { parseSchedstat } from '../proc/schedstat.js';
import { parseStat, type Stat } from '../proc/stat.js';

/** Reading the counters of more threads than this costs about as much as reading the open files again. */
const threadsMax = 32;
/** A thread that never leaves its CPU is accounted at the next tick of the clock: after a second at the latest. */
const ageMsMin = 1000;

interface Counters {
  /** Of a process or thread in /proc. */
  directory: string;
  ranNs: number;
  runs: number;
}

/** null: the thread is gone, or this kernel does not count. */
function readCounters(directory: string): Counters | null {
  const bytes = often.piece(`${directory}/schedstat`);
  const counters = Buffer.isBuffer(bytes) ? parseSchedstat(bytes.toString('latin1')) : null;
  return counters === null || counters.counter === 0
    ? null
    : { directory, ranNs: counters.ranNs, runs: counters.counter };
}

/**
 * Proof that a process did not run since: then it opened and closed nothing. Descriptors also come from other processes
 * (SCM_RIGHTS, pidfd_getfd, seccomp's ADDFD), but the receiver has to run to get one. New threads are made by threads.
 * A process that shares its table of files with its parent (CLONE_FILES) gets no proof.
 */
export class RunStamp {
  readonly #threads: readonly Counters[];
  readonly #atMs = performance.now();

  private constructor(threads: readonly Counters[]) {
    this.#threads = threads;
  }

  /** Taken before everything it vouches for, except `readStat`, which is part of it. null: nothing is proven. */
  static take(pid: number, readStat: () => Stat | null): { stat: Stat | null; stamp: RunStamp | null } {
    const main = readCounters(`/proc/${pid}`);
    const stat = readStat();
    if (main === null || stat === null || !isOffCpu(stat) || stat.threads > threadsMax) {
      return { stat, stamp: null };
    }
    const threads = stat.threads === 1 ? [main] : readThreads(pid);
    const proves = threads !== null && sameFiles(pid, stat.parent) !== true;
    return { stat, stamp: proves ? new RunStamp(threads) : null };
  }

  /** Valid only for the process it was taken of: the caller checks whether the pid was reused. */
  isUnchanged(): boolean {
    return performance.now() - this.#atMs >= ageMsMin && this.#threads.every(didNotRun);
  }

  /** It was given a CPU since. */
  hasRun(): boolean {
    return !this.#threads.every(didNotRun);
  }

  /** The same without the wait for the clock: no thread is on a CPU now, so each is accounted. */
  stoodStill(): boolean {
    return this.#threads.every((thread) => didNotRun(thread) && readOffCpu(thread.directory));
  }
}

function didNotRun({ directory, ranNs, runs }: Counters): boolean {
  const now = readCounters(directory);
  return now !== null && now.runs === runs && now.ranNs === ranNs;
}

function readOffCpu(directory: string): boolean {
  const bytes = often.piece(`${directory}/stat`);
  const stat = Buffer.isBuffer(bytes) ? parseStat(bytes) : null;
  return stat !== null && isOffCpu(stat);
}

function isOffCpu({ state }: Stat): boolean {
  return state !== 'R' && state !== 'Z';
}

/** null: a thread runs, or the set of threads changed during the read. */
function readThreads(pid: number): Counters[] | null {
  const tids = listNumbers(`/proc/${pid}/task`);
  const threads: Counters[] = [];
  for (const tid of isAbsent(tids) ? [] : tids) {
    const directory = `/proc/${pid}/task/${tid}`;
    const counters = readCounters(directory);
    if (counters === null || !readOffCpu(directory)) return null;
    threads.push(counters);
  }
  const later = listNumbers(`/proc/${pid}/task`);
  const same = !isAbsent(tids) && !isAbsent(later) && `${tids}` === `${later}`;
  return same ? threads : null;
}
