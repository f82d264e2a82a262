import fs from 'node:fs';
import { daemonFile } from './daemon-files.js';
import { openForAppend } from './files.js';

/** The previous log is kept as well, so twice this much is on disk. */
const bytesMax = 1024 * 1024;

/**
 * Adds a line to the log of orphans. It is one appending write, so concurrent writers do not mix lines. A log that
 * cannot be written stops nothing.
 */
export function appendOrphanLine(home: string, line: string, max = bytesMax): void {
  try {
    const file = daemonFile(home, 'orphans');
    const bytes = Buffer.from(`${line}\n`);
    const size = fs.lstatSync(file, { throwIfNoEntry: false })?.size ?? 0;
    if (size > 0 && size + bytes.length > max) fs.renameSync(file, daemonFile(home, 'oldOrphans'));
    const fd = openForAppend(file);
    try {
      fs.writeSync(fd, bytes);
    } finally {
      fs.closeSync(fd);
    }
  } catch {
    // A full disk, or a home that is gone.
  }
}
