import { isAbsent } from '../../../model/facts/absence.js';
import { Failure } from '../../../model/failure.js';
import { readRow } from '../identity/identify.js';
import type { KernelFiles } from '../kernel/kernel.js';

/** The ancestors of this process, from a complete reading: a process only ever loses ancestors to one of those. */
let own: readonly number[] | null = null;

/** The ancestors of a process, nearest first; as far as they can be read. */
export function ancestorsOf(pid: number, files?: KernelFiles): number[] {
  return climb(pid, files).ancestors;
}

/** This process and all its ancestors, never to be signalled. Throws a Failure when they cannot be read. */
export function ourselvesAndAbove(): ReadonlySet<number> {
  const { ancestors, isWhole } = climb(process.pid);
  if (isWhole) own = ancestors;
  if (own === null) {
    throw new Failure(
      'cannot-read',
      'the ancestors of this process cannot be read, so no process is safe to signal',
      'try again in a moment',
    );
  }
  return new Set([process.pid, ...ancestors, ...own]);
}

function climb(pid: number, files?: KernelFiles): { ancestors: number[]; isWhole: boolean } {
  const ancestors: number[] = [];
  for (let current = pid; current > 1; ) {
    const row = readRow(current, files);
    if (isAbsent(row)) return { ancestors, isWhole: row.absent === 'gone' };
    if (row.parent <= 0 || ancestors.includes(row.parent)) break;
    ancestors.push(row.parent);
    current = row.parent;
  }
  return { ancestors, isWhole: true };
}
