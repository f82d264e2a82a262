import { type Absent, isAbsent } from '../../../model/facts/absence.js';
import type { KernelFiles } from '../kernel/kernel.js';
import { liveFiles } from '../kernel/live-files.js';
import { parseStat } from './stat.js';

/** Children are listed with the thread that forked them, so every thread has to be read. */
export function readChildren(pid: number, files: KernelFiles = liveFiles): number[] | Absent {
  const tids = files.numbers(`/proc/${pid}/task`);
  if (isAbsent(tids)) return tids;
  const children: number[] = [];
  let unsupported = 0;
  for (const tid of tids) {
    const text = files.text(`/proc/${pid}/task/${tid}/children`);
    if (isAbsent(text)) unsupported += 1;
    else for (const child of text.trim().split(' ')) if (child !== '') children.push(Number(child));
  }
  if (tids.length > 0 && unsupported === tids.length) return childrenByParent(pid, files);
  return children;
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
