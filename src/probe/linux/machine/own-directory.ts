import { isAbsent } from '../../../model/facts/absence.js';
import { readLink } from '../proc/proc-file.js';

/** Our current directory. A directory that was removed has the name that the kernel shows for it. */
export function ownDirectory(): string {
  try {
    return process.cwd();
  } catch {
    const link = readLink('/proc/self/cwd');
    return isAbsent(link) ? '/' : link;
  }
}
