import { isAbsent } from '../model/facts/absence.js';
import { openFilesLimit } from '../probe/machine.js';

/**
 * Soft limit of open files for a command started from here. Node raises its own soft limit at start, and some programs
 * rely on a low one (select(2), closing all descriptors up to it). The calling shell still has the original limit.
 * undefined: nothing was raised, or it is not known.
 */
export function callerOpenFiles(): number | undefined {
  if (process.ppid <= 1) return undefined;
  const [ours, callers] = [openFilesLimit('self'), openFilesLimit(process.ppid)];
  if (isAbsent(ours) || isAbsent(callers)) return undefined;
  // A different hard limit means that our limits were set on purpose.
  return callers.hard === ours.hard && callers.soft < ours.soft ? callers.soft : undefined;
}
