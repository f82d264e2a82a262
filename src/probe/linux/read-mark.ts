import { isAbsent } from '../../model/absence.js';
import { runIdIn } from './environ.js';
import { readBytes } from './proc-file.js';
import { isOwn } from './process-owner.js';
import { type ProcessRow, readRow } from './process-row.js';

/**
 * The run that a process says it is part of, the innermost one; null: none, or it is another user's, who can write
 * anything into an environment of his own. `later`: cannot be told now.
 */
export function readMark({ pid, startTicks, state, ended }: ProcessRow): string | null | 'later' {
  if (ended) return null;
  // Reading the environment of one that is blocked in the kernel may block us as well.
  if (state === 'D') return 'later';
  const environ = readBytes(`/proc/${pid}/environ`);
  if (isAbsent(environ)) return environ.absent === 'limit' ? 'later' : null;
  // Empty for a moment while a process becomes another program.
  if (environ.length === 0) return 'later';
  const id = runIdIn(environ);
  if (id === null || !isOwn(pid)) return null;
  // The number was its own all the time.
  const row = readRow(pid);
  return !isAbsent(row) && row.startTicks === startTicks ? id : null;
}
