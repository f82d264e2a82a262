import fs from 'node:fs';
import { type Absent, isAbsent } from '../../../model/facts/absence.js';
import { attempt, listNumbers, readText } from '../proc/proc-file.js';

/** Open files of this process, and their limit. Node raises the soft limit to the hard limit at its start. */
export interface Descriptors {
  open: number;
  max: number;
}

/** This many stay free: for short reads and writes, the two ends of a terminal, an incoming request. */
export const spareDescriptors = 24;

/** Used where a kernel does not show the limit. */
const maxDefault = 1024;

/** The limits of a process: the soft limit, and the hard limit up to which the process may raise it. */
export function openFilesLimit(pid: number | 'self'): { soft: number; hard: number } | Absent {
  const text = readText(`/proc/${pid}/limits`);
  if (isAbsent(text)) return text;
  const [, soft, hard] = /^Max open files\s+(\d+|unlimited)\s+(\d+|unlimited)/m.exec(text) ?? [];
  const value = (word: string | undefined) =>
    word === 'unlimited' ? Number.POSITIVE_INFINITY : Number(word);
  return soft === undefined ? { absent: 'unsupported' } : { soft: value(soft), hard: value(hard) };
}

/** The present state. Where not even the list can be opened, all are in use. */
export function descriptors(): Descriptors {
  const limit = openFilesLimit('self');
  const max = isAbsent(limit) ? maxDefault : limit.soft;
  // Since Linux 6.2 their number is the size of the directory.
  const counted = attempt(() => fs.statSync('/proc/self/fd').size);
  if (typeof counted === 'number' && counted > 0) return { open: counted, max };
  const open = listNumbers('/proc/self/fd');
  if (isAbsent(open)) return { open: open.absent === 'limit' ? max : 0, max };
  // The list itself was an open file.
  return { open: open.length - 1, max };
}

/** How many may be kept open for speed alone: half of those that are neither in use nor reserved. */
export function keptDescriptorsMax(): number {
  const { open, max } = descriptors();
  return Math.max(0, Math.floor((max - open - spareDescriptors) / 2));
}
