import fs from 'node:fs';
import { reasonOf } from '../proc/proc-file.js';

/** Enough for any of the three; stat is the longest with some 350 bytes. */
export const sampleBytesMax = 2048;

/** The three files that a tick reads of a process, held open: each is pinned to that process, not to its pid. */
export interface SampleFiles {
  stat: number;
  /** null: this kernel has no such file. */
  schedstat: number | null;
  /** null: not readable for this user. */
  io: number | null;
}

function open(pid: number, name: 'stat' | 'schedstat' | 'io'): number {
  return fs.openSync(`/proc/${pid}/${name}`, fs.constants.O_RDONLY);
}

/**
 * null: not readable for this user, or this kernel has no such file. When stat is read, it shows whether the process is
 * gone.
 */
function openIfThere(pid: number, name: 'schedstat' | 'io'): number | null {
  try {
    return open(pid, name);
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === 'not-permitted' || reason === 'gone') return null;
    throw error;
  }
}

/** stat first: with it the process is pinned. Leaves nothing open when one of the three cannot be opened. */
export function openFiles(pid: number, wanted: { io: boolean }): SampleFiles {
  const files: SampleFiles = { stat: open(pid, 'stat'), schedstat: null, io: null };
  try {
    files.schedstat = openIfThere(pid, 'schedstat');
    if (wanted.io) files.io = openIfThere(pid, 'io');
    return files;
  } catch (error) {
    closeFiles(files);
    throw error;
  }
}

/** Always from the start: the kernel makes the text anew for every read at 0. */
export function readFile(fd: number, into: Buffer): number {
  return fs.readSync(fd, into, 0, sampleBytesMax, 0);
}

export function closeFiles({ stat, schedstat, io }: SampleFiles): void {
  fs.closeSync(stat);
  if (schedstat !== null) fs.closeSync(schedstat);
  if (io !== null) fs.closeSync(io);
}
