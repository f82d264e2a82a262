import fs from 'node:fs';
import { openForAppend } from '../files.js';

import { lineBytesMax } from './notice-line.js';

const chunkBytes = 1024 * 1024;
const newline = 10;

/** Only the end of a larger file is read; Unstuck writes none that large. */
const readBytesMax = 128 * 1024 * 1024;

/** A file of lines that only grows, until it is written anew. What append() has returned survives SIGKILL. */
export class LineFile {
  readonly #path: string;
  readonly #lines: () => Buffer[];
  #fd: number;
  #bytes = 0;

  /** `lines`: what it should contain, for when it is written anew. Throws when the file cannot be used. */
  constructor(path: string, lines: () => Buffer[]) {
    this.#path = path;
    this.#lines = lines;
    this.#fd = openForAppend(path);
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Calls back with each whole line (null: too long), and drops an incomplete last one: its writer was killed. */
  read(onLine: (line: string | null) => void): void {
    const { size } = fs.fstatSync(this.#fd);
    this.#bytes = readLines(this.#fd, Math.max(0, size - readBytesMax), onLine);
    if (this.#bytes < size) fs.ftruncateSync(this.#fd, this.#bytes);
  }

  /** Throws when the line could not be written: then nothing of it is in the file. */
  append(line: Buffer): void {
    const { nlink, size } = fs.fstatSync(this.#fd);
    // The file was removed, replaced or changed by another program.
    if (nlink === 0 || size !== this.#bytes) this.#rewrite();
    try {
      writeAll(this.#fd, line);
    } catch (error) {
      fs.ftruncateSync(this.#fd, this.#bytes);
      throw error;
    }
    this.#bytes += line.length;
  }

  /** Writes it anew. On a full disk it stays as it is. */
  shrink(): void {
    try {
      this.#rewrite();
    } catch {
      // It is tried again when the file has grown.
    }
  }

  close(): void {
    fs.closeSync(this.#fd);
  }

  #rewrite(): void {
    const lines = this.#lines();
    const fd = replaceFile(this.#path, lines);
    fs.closeSync(this.#fd);
    this.#fd = fd;
    this.#bytes = lines.reduce((sum, { length }) => sum + length, 0);
  }
}

/**
 * Calls `onLine` with each whole line from an offset on (null: longer than any notice); returns where the last one
 * ends.
 */
function readLines(fd: number, from: number, onLine: (line: string | null) => void): number {
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
function writeAll(fd: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) done += fs.writeSync(fd, bytes, done);
}

/** Writes a new file under a temporary name and renames it over the old one; returns it open for appending. */
function replaceFile(file: string, lines: Iterable<Buffer>): number {
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
