import { isAbsent } from '../../../model/facts/absence.js';
import type { KernelFiles } from '../kernel/kernel.js';
import { parseStat, type Stat } from '../proc/stat.js';

/** The first thread has ended, others of the process go on: it shows neither their memory nor their open files. */
export function hasDeadLeader({ state, threads }: Pick<Stat, 'state' | 'threads'>): boolean {
  return state === 'Z' && threads > 1;
}

/** A thread that shows the memory and the open files of a process: its first, or another one where that has ended. */
export function livingTask(files: KernelFiles, pid: number, known?: Stat): number {
  const bytes = known === undefined ? files.bytes(`/proc/${pid}/stat`) : null;
  const stat = known ?? (Buffer.isBuffer(bytes) ? parseStat(bytes) : null);
  if (stat === null || !hasDeadLeader(stat)) return pid;
  const tids = files.numbers(`/proc/${pid}/task`);
  return (isAbsent(tids) ? [] : tids).find((tid) => tid !== pid) ?? pid;
}

/** The directory of a thread of a process. */
export function taskDirectory(pid: number, task: number): string {
  return task === pid ? `/proc/${pid}` : `/proc/${pid}/task/${task}`;
}

/** The directory that shows the memory and the open files of a process. */
export function livingDirectory(files: KernelFiles, pid: number): string {
  return taskDirectory(pid, livingTask(files, pid));
}
