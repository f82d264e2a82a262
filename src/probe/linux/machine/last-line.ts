import fs from 'node:fs';
import { isAbsent } from '../../../model/facts/absence.js';
import { redact } from '../../../redact/redact.js';
import { attempt } from '../proc/proc-file.js';

const tailBytes = 256;

/** The unfinished last line of a log file: what a program wrote before it began to wait. null: the line is complete. */
export function readLastLine(path: string): string | null {
  const tail = attempt(() => {
    const fd = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK | fs.constants.O_NOCTTY);
    try {
      const { size } = fs.fstatSync(fd);
      const bytes = Buffer.alloc(Math.min(size, tailBytes));
      fs.readSync(fd, bytes, 0, bytes.length, Math.max(0, size - bytes.length));
      return bytes.toString('utf8');
    } finally {
      fs.closeSync(fd);
    }
  });
  if (isAbsent(tail)) return null;
  const line = tail.slice(tail.lastIndexOf('\n') + 1).trimStart();
  return line.trim() === '' ? null : redact(line);
}
