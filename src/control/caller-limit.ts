import { isAbsent } from '../model/absence.js';
import { openFilesLimit } from '../probe/linux/descriptors.js';

/**
 * How many files a command may open that is started from here. Node has raised our own soft limit when it began, and
 * some programs go by it (select(2), whatever closes all descriptors up to it): the shell that called us still has what
 * we were given. undefined: nothing was raised, or it is not known.
 */
export function callerOpenFiles(): number | undefined {
  if (process.ppid <= 1) return undefined;
  const [ours, callers] = [openFilesLimit('self'), openFilesLimit(process.ppid)];
  if (isAbsent(ours) || isAbsent(callers)) return undefined;
  // Another hard limit: ours was set in between, and the soft one with it.
  return callers.hard === ours.hard && callers.soft < ours.soft ? callers.soft : undefined;
}
