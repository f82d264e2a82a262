import fs from 'node:fs';
import { reasonOf } from '../proc/proc-file.js';

/** Enough for any of the three; stat is the longest with some 350 bytes. */
export const sampleBytesMax = 2048;

/** The three files one tick reads of a process, held open: each is pinned to that process, not to its number. */
export interface SampleFiles {
  stat: number;
  /** null: this kernel has none. */
  schedstat: number | null;
  /** null: not ours to read. */
  io: number | null;
}

function open(pid: number, name: 'stat' | 'schedstat' | 'io'): number {
  return fs.openSync(`/proc/${pid}/${name}`, fs.constants.O_RDONLY);
}

/** null: not ours to read, or this kernel has no such file. That the process is gone shows when stat is read. */
function openIfThere(pid: number, name: 'schedstat' | 'io'): number | null {
  try {
    return open(pid, name);
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === 'not-permitted' || reason === 'gone') return null;
    throw error;
  }
}

/** stat first: with it the process is pinned. Leaves nothing open when one of the three cannot be had. */
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
