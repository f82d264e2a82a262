import { type Absent, isAbsent } from '../../../model/facts/absence.js';
import type { KernelFiles, ProcessDir } from '../kernel/kernel.js';
import { liveFiles } from '../kernel/live-files.js';
import { parseStat } from './stat.js';

/** Children are listed with the thread that forked them, so every thread has to be read. */
export function readChildren(pid: number, files: KernelFiles = liveFiles): number[] | Absent {
  const tids = files.numbers(`/proc/${pid}/task`);
  return isAbsent(tids) ? tids : ofThreads(pid, tids, (name) => files.text(`/proc/${pid}/${name}`), files);
}

/** The same of a process whose directory is open, and whose threads were just listed. */
export function readChildrenIn(
  dir: ProcessDir,
  tids: readonly number[] | Absent,
  files: KernelFiles,
): number[] | Absent {
  return isAbsent(tids) ? tids : ofThreads(dir.pid, tids, (name) => dir.text(name), files);
}

function ofThreads(
  pid: number,
  tids: readonly number[],
  text: (name: string) => string | Absent,
  files: KernelFiles,
): number[] | Absent {
  const children: number[] = [];
  let unsupported = 0;
  for (const tid of tids) {
    const listed = text(`task/${tid}/children`);
    if (isAbsent(listed)) unsupported += 1;
    else for (const child of listed.trim().split(' ')) if (child !== '') children.push(Number(child));
  }
  if (tids.length === 0 || unsupported < tids.length) return children;
  const still = files.numbers(`/proc/${pid}/task`);
  return isAbsent(still) ? still : childrenByParent(pid, files);
}

/** For kernels without CONFIG_PROC_CHILDREN: reads the parent of every process. */
function childrenByParent(pid: number, files: KernelFiles): number[] | Absent {
  const all = files.numbers('/proc');
  if (isAbsent(all)) return all;
  return all.filter((candidate) => {
    const bytes = files.bytes(`/proc/${candidate}/stat`);
    return Buffer.isBuffer(bytes) && parseStat(bytes)?.parent === pid;
  });
}
