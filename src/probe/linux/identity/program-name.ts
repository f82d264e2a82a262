import { isAbsent } from '../../../model/facts/absence.js';
import { printable } from '../../../text/printable.js';
import { readText } from '../proc/proc-file.js';

/** The short name of a process in the kernel; null: it is gone. */
export function programName(pid: number): string | null {
  const text = readText(`/proc/${pid}/comm`);
  return isAbsent(text) ? null : printable(text.trimEnd());
}
