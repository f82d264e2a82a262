import fs from 'node:fs';
import { isAbsent } from '../../model/facts/absence.js';
import { readText } from '../../probe/machine.js';

/** How many bytes a file in this directory may get, by the free space and by the limit on the size of files. */
export function roomFor(directory: string): number {
  return Math.min(freeBytes(directory), fileBytesMax());
}

/** Infinity: not known. */
function freeBytes(directory: string): number {
  try {
    const { bavail, bsize } = fs.statfsSync(directory);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

function fileBytesMax(): number {
  const limits = readText('/proc/self/limits');
  const soft = isAbsent(limits) ? undefined : /^Max file size\s+(\d+)/m.exec(limits)?.[1];
  return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
}
