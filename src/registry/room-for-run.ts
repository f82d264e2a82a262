import { Failure } from '../model/failure.js';
import { type Descriptors, descriptors, spareDescriptors } from '../probe/machine.js';

/** Why the daemon cannot carry more; null: it can. A run keeps no file open; what is open is mostly who waits for one. */
export function shortOfDescriptors({ open, max }: Descriptors = descriptors()): string | null {
  if (max - open >= spareDescriptors) return null;
  return `the daemon may open ${max} files and ${open} are in use`;
}

/** Throws a Failure when a run cannot be started without taking the files that the others need. */
export function checkDescriptors(now?: Descriptors): void {
  const shortage = shortOfDescriptors(now);
  if (shortage === null) return;
  throw new Failure(
    'cannot-start',
    shortage,
    'raise the limit and start the daemon anew, the runs go on: ulimit -n 4096; unstuck daemon stop; or end who waits for runs',
  );
}
