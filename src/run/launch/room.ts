import fs from 'node:fs';
import { isAbsent } from '../../model/facts/absence.js';
import { readText } from '../../probe/machine.js';

/** With less room than this, a log may get full before the command ends. */
const roomMin = 256 * 1024 * 1024;

/** A file in this directory may still grow a good deal. */
export function hasRoom(directory: string): boolean {
  return freeBytes(directory) >= roomMin;
}

/** A limit on the size of files (`ulimit -f`), which a log may reach faster than anything could be done about it. */
export function isSizeLimited(): boolean {
  const limits = readText('/proc/self/limits');
  return !isAbsent(limits) && /^Max file size\s+\d/m.test(limits);
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
