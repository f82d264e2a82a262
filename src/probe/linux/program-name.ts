import { isAbsent } from '../../model/absence.js';
import { printable } from '../../model/printable.js';
import { readText } from './proc-file.js';

/** The short name the kernel knows a process by; null: it is gone. */
export function programName(pid: number): string | null {
  const text = readText(`/proc/${pid}/comm`);
  return isAbsent(text) ? null : printable(text.trimEnd());
}
