import fs from 'node:fs';
import { isAbsent } from '../../../model/facts/absence.js';
import { sameFiles } from '../native/kcmp.js';
import { attempt, listNumbers, readBytes } from '../proc/proc-file.js';
import { parseStat, type Stat } from '../proc/stat.js';
import { ByteReader } from '../sample/bytes.js';
import { readFile, sampleBytesMax } from '../sample/files.js';

/** Reading the counters of more threads than this costs about as much as reading the open files again. */
const threadsMax = 32;
/** A thread that never leaves its CPU is accounted at the next tick of the clock: after a second at the latest. */
const ageMsMin = 1000;

interface Counters {
  path: string;
  ranNs: number;
  runs: number;
}

const reader = new ByteReader(Buffer.allocUnsafeSlow(sampleBytesMax));

/** null: the thread is gone, or this kernel does not count. */
function readCounters(path: string): Counters | null {
  const fd = attempt(() => fs.openSync(path, fs.constants.O_RDONLY));
  if (isAbsent(fd)) return null;
  const length = attempt(() => readFile(fd, reader.bytes));
  fs.closeSync(fd);
  reader.begin(isAbsent(length) ? 0 : length);
  const ranNs = reader.number();
  reader.number();
  const runs = reader.number();
  return runs === 0 ? null : { path, ranNs, runs };
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
    const main = readCounters(`/proc/${pid}/schedstat`);
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
    if (performance.now() - this.#atMs < ageMsMin) return false;
    return this.#threads.every(({ path, ranNs, runs }) => {
      const now = readCounters(path);
      return now !== null && now.runs === runs && now.ranNs === ranNs;
    });
  }
}

function isOffCpu({ state }: Stat): boolean {
  return state !== 'R' && state !== 'Z';
}

/** null: a thread runs, or the set of threads changed during the read. */
function readThreads(pid: number): Counters[] | null {
  const tids = listNumbers(`/proc/${pid}/task`);
  const threads: Counters[] = [];
  for (const tid of isAbsent(tids) ? [] : tids) {
    const counters = readCounters(`/proc/${pid}/task/${tid}/schedstat`);
    const bytes = readBytes(`/proc/${pid}/task/${tid}/stat`);
    const stat = Buffer.isBuffer(bytes) ? parseStat(bytes) : null;
    if (counters === null || stat === null || !isOffCpu(stat)) return null;
    threads.push(counters);
  }
  const later = listNumbers(`/proc/${pid}/task`);
  const same = !isAbsent(tids) && !isAbsent(later) && `${tids}` === `${later}`;
  return same ? threads : null;
}
