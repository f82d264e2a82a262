import { type Absent, isAbsent } from '../../../model/facts/absence.js';
import { listNumbers, readBytes, readText } from './proc-file.js';
import { parseStat } from './stat.js';

/** Children are listed with the thread that forked them, so every thread has to be read. */
export function readChildren(pid: number): number[] | Absent {
  const tids = listNumbers(`/proc/${pid}/task`);
  if (isAbsent(tids)) return tids;
  const children: number[] = [];
  let unsupported = 0;
  for (const tid of tids) {
    const text = readText(`/proc/${pid}/task/${tid}/children`);
    if (isAbsent(text)) unsupported += 1;
    else for (const child of text.trim().split(' ')) if (child !== '') children.push(Number(child));
  }
  if (tids.length > 0 && unsupported === tids.length) return childrenByParent(pid);
  return children;
}

/** For kernels without CONFIG_PROC_CHILDREN: reads the parent of every process. */
function childrenByParent(pid: number): number[] | Absent {
  const all = listNumbers('/proc');
  if (isAbsent(all)) return all;
  return all.filter((candidate) => {
    const bytes = readBytes(`/proc/${candidate}/stat`);
    return Buffer.isBuffer(bytes) && parseStat(bytes)?.parent === pid;
  });
}
