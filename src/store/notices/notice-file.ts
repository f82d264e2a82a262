import fs from 'node:fs';
import { lineBytesMax } from './notice-line.js';

const chunkBytes = 1024 * 1024;
const newline = 10;

/**
 * Calls `onLine` with each whole line from an offset on (null: longer than any notice); returns where the last one
 * ends.
 */
export function readLines(fd: number, from: number, onLine: (line: string | null) => void): number {
  const chunk = Buffer.alloc(chunkBytes);
  let at = from;
  let wholeTo = from;
  let begun: Buffer[] = [];
  let begunBytes = 0;
  for (;;) {
    const length = fs.readSync(fd, chunk, 0, chunkBytes, at);
    if (length === 0) return wholeTo;
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0 && end < length; end = chunk.indexOf(newline, start)) {
      begun.push(chunk.subarray(start, end));
      const tooLong = begunBytes + end - start > lineBytesMax;
      onLine(tooLong ? null : Buffer.concat(begun).toString('utf8'));
      begun = [];
      begunBytes = 0;
      start = end + 1;
      wholeTo = at + start;
    }
    begunBytes += length - start;
    // A line that is too long is not kept.
    if (begunBytes <= lineBytesMax) begun.push(Buffer.from(chunk.subarray(start, length)));
    at += length;
  }
}

/** Writes everything or throws. */
export function writeAll(fd: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) done += fs.writeSync(fd, bytes, done);
}

/** Writes a new file under a temporary name and renames it over the old one; returns it open for appending. */
export function replaceFile(file: string, lines: Iterable<Buffer>): number {
  const temporary = `${file}.tmp`;
  fs.rmSync(temporary, { force: true });
  const fd = fs.openSync(temporary, 'ax+', 0o600);
  try {
    for (const line of lines) writeAll(fd, line);
    fs.renameSync(temporary, file);
    return fd;
  } catch (error) {
    fs.closeSync(fd);
    fs.rmSync(temporary, { force: true });
    throw error;
  }
}
