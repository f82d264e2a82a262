import { isAbsent } from '../../model/absence.js';
import { readRow } from './process-row.js';

/** The processes above this one, nearest first. */
export function ancestorsOf(pid: number): number[] {
  const ancestors: number[] = [];
  for (let current = pid; current > 1; ) {
    const row = readRow(current);
    if (isAbsent(row) || row.parent <= 0 || ancestors.includes(row.parent)) break;
    ancestors.push(row.parent);
    current = row.parent;
  }
  return ancestors;
}
