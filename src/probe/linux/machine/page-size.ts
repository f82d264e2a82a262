import { isAbsent } from '../../../model/facts/absence.js';
import { readText } from '../proc/proc-file.js';

let known: number | null = null;

/** Size of a memory page in bytes: 4,096 almost everywhere, 16 or 64 KB on some ARM machines. */
export function pageBytes(): number {
  if (known !== null) return known;
  const text = readText('/proc/self/smaps');
  const size = isAbsent(text) ? null : /^KernelPageSize:\s+(\d+) kB$/m.exec(text);
  known = size === null ? 4096 : Number(size[1]) * 1024;
  return known;
}
