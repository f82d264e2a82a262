import { isAbsent } from '../../../model/facts/absence.js';
import { cutBeforeRedact, redactWords } from '../../../redact/redact.js';
import { printable } from '../../../text/printable.js';
import { readBytes, readText } from '../proc/proc-file.js';
import { readRow } from './identify.js';

const shownCharsMax = 400;

/**
 * The cmdline of /proc in a form that may be shown: secrets are masked while the arguments are separate, then it is
 * cut. '' if empty.
 */
export function maskedArguments(bytes: Buffer): string {
  // Masked text is shorter than the original: more is read than shown.
  const text = bytes.toString('utf8', 0, shownCharsMax * 8).replace(/\0+$/, '');
  const words = cutBeforeRedact(text, shownCharsMax * 4).split('\0');
  return redactWords(words, (word) => word).slice(0, shownCharsMax);
}

/** The argv of a process, secrets masked; null: it is gone, has no arguments any more, or must not be read. */
export function commandLineOf(pid: number): string | null {
  const row = readRow(pid);
  // Reading the arguments of a process that is blocked in the kernel may block this process as well.
  if (isAbsent(row) || row.state === 'D') return null;
  const bytes = readBytes(`/proc/${pid}/cmdline`);
  if (isAbsent(bytes)) return null;
  const text = maskedArguments(bytes);
  return text === '' ? null : printable(text).slice(0, shownCharsMax);
}

/** The short name of a process in the kernel; null: it is gone. */
export function programName(pid: number): string | null {
  const text = readText(`/proc/${pid}/comm`);
  return isAbsent(text) ? null : printable(text.trimEnd());
}
