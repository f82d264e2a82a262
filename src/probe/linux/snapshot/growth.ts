import { type Absent, isAbsent } from '../../../model/facts/absence.js';
import { readChildren } from '../proc/children.js';
import type { ProcDir } from '../proc/proc-dir.js';

function hasNew(now: readonly number[] | Absent, known: ReadonlySet<number>): boolean {
  return !isAbsent(now) && now.some((id) => !known.has(id));
}

/**
 * Whether a process has a thread, or a child, that was not there when they were listed first. A child may appear
 * without an action of the process: another process left it. `children`: null where they were not listed.
 */
export function hasGrown(
  dir: ProcDir,
  tids: ReadonlySet<number>,
  children: readonly number[] | null,
): boolean {
  if (hasNew(dir.numbers('task'), tids)) return true;
  return children !== null && hasNew(readChildren(dir.pid), new Set(children));
}
