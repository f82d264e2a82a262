import { isAbsent } from '../../../model/facts/absence.js';
import { printable } from '../../../text/printable.js';
import { maskedArguments } from '../identity/masked-arguments.js';
import { readRow } from '../identity/process-row.js';
import { readBytes } from './proc-file.js';

const commandCharsMax = 400;

/** The argv of a process, secrets masked; null: it is gone, has no arguments any more, or must not be read. */
export function commandLineOf(pid: number): string | null {
  const row = readRow(pid);
  // Reading the arguments of a process that is blocked in the kernel may block this process as well.
  if (isAbsent(row) || row.state === 'D') return null;
  const bytes = readBytes(`/proc/${pid}/cmdline`);
  if (isAbsent(bytes)) return null;
  const text = maskedArguments(bytes);
  return text === '' ? null : printable(text).slice(0, commandCharsMax);
}
