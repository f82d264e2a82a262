import fs from 'node:fs';
import { openForAppend } from './files.js';
import type { RunDirectory } from './run-directory.js';

/** Of the boot in which the run was started. */
export interface LineageEntry {
  pid: number;
  startTicks: number;
}

const fileName = 'lineage';
/** More processes than any real run detaches. */
export const lineageMax = 1000;
/** Two numbers, a space and a newline. */
const entryBytesMax = 32;

/** Processes that were seen in a run after they had left the session of the command; empty when it cannot be read. */
export function readLineage(directory: RunDirectory): LineageEntry[] {
  try {
    const file = directory.file(fileName);
    const stat = fs.lstatSync(file);
    if (!stat.isFile() || stat.size > lineageMax * entryBytesMax) return [];
    const lines = fs.readFileSync(file, 'latin1').matchAll(/^(\d{1,10}) (\d{1,16})$/gm);
    return [...lines]
      .slice(0, lineageMax)
      .map(([, pid, ticks]) => ({ pid: Number(pid), startTicks: Number(ticks) }));
  } catch {
    return [];
  }
}

export function hasLineage(directory: RunDirectory): boolean {
  return fs.existsSync(directory.file(fileName));
}

/** Appended: a process that is killed in between loses nothing. */
export function addLineage(directory: RunDirectory, { pid, startTicks }: LineageEntry): void {
  if (!directory.exists) return;
  try {
    const fd = openForAppend(directory.file(fileName));
    try {
      fs.writeSync(fd, `${pid} ${startTicks}\n`);
    } finally {
      fs.closeSync(fd);
    }
  } catch {
    // A full disk, or the directory is gone. Lineage is only one of several kinds of evidence.
  }
}

/** Called when no process in it is alive. */
export function clearLineage(directory: RunDirectory): void {
  fs.rmSync(directory.file(fileName), { force: true });
}
