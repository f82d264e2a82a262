import { Failure } from '../../model/failure.js';
import { type Descriptors, descriptors, spareDescriptors } from '../../probe/machine.js';

/**
 * Why the daemon cannot take more runs; null: it can. A run keeps no file open; most open files belong to waiting
 * clients.
 */
export function shortOfDescriptors({ open, max }: Descriptors = descriptors()): string | null {
  if (max - open >= spareDescriptors) return null;
  return `the daemon may open ${max} files and ${open} are in use`;
}

/** Throws a Failure when a new run would take files that the other runs need. */
export function checkDescriptors(now?: Descriptors): void {
  const shortage = shortOfDescriptors(now);
  if (shortage === null) return;
  throw new Failure(
    'cannot-start',
    shortage,
    'raise the limit and start the daemon anew, the runs go on: ulimit -n 4096; unstuck daemon stop; or end commands that wait for runs',
  );
}
