import { isAbsent } from '../../model/facts/absence.js';
import type { ProcDir } from '../linux/proc/proc-dir.js';
import { parseStat } from '../linux/proc/stat.js';

const threadsMax = 256;

/** Where its threads are inside the kernel, which only root may read; null: not available. */
export function readKernelStacks(dir: ProcDir): string | null {
  const tids = dir.numbers('task');
  if (isAbsent(tids)) return null;
  const stacks = tids.slice(0, threadsMax).flatMap((tid) => {
    const stack = dir.text(`task/${tid}/stack`);
    const bytes = dir.bytes(`task/${tid}/stat`);
    const stat = isAbsent(bytes) ? null : parseStat(bytes);
    if (isAbsent(stack) || stat === null || stack.trim() === '') return [];
    return [`thread ${tid} ${JSON.stringify(stat.name)}, state ${stat.state}\n${stack.trimEnd()}\n`];
  });
  return stacks.length === 0 ? null : stacks.join('\n');
}
