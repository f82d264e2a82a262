import fs from 'node:fs';
import path from 'node:path';
import { Failure } from '../../model/failure.js';
import { openOwnFile, ownFileFlags } from '../files.js';
import { countLineEnds, LineIndex, lastLineStarts, lineStartAt, type ReadAt } from './line-index.js';
import { readLines } from './log-line.js';
import { type LogText, readText, type TextOptions } from './log-text.js';
import { type LogTime, readLogTimes } from './log-times.js';
import { readTrimmed, type Trimmed } from './trimmed.js';

const newline = 0x0a;
/** Bytes read per step. */
const skipBytes = 256 * 1024;

export interface LinesOptions {
  /** Number of the first line; without it the last `limit` lines. */
  offset?: number | undefined;
  /** Only lines that end behind this byte of output; not together with `offset`. */
  from?: number | undefined;
  limit: number;
  plain: boolean;
  /** Keep counting, for a while, until the first line is reached. */
  patient?: true;
}

export interface LogLines {
  lines: string[];
  /** Number of the first line. */
  offset: number;
  /** Includes dropped lines and an unfinished last line. */
  totalLines: number;
  droppedLines: number;
  /** The log is too long to count all lines in time: there are at least `totalLines`. */
  atLeast?: true;
}

/** Lines, and the byte of output where each begins. */
export interface PlacedLines extends LogLines {
  starts: number[];
}

/** Bytes counted for one answer, or as many as time allows; the next answer continues there. */
const countBytesMin = 64 * 1024 * 1024;
const countMsMax = 500;
const patientMsMax = 5000;

/**
 * The output of a run on disk. Offsets are bytes of output, without the header. No file stays open between two calls.
 * For a run whose directory is gone, `size`, `lastWriteMs` and `read` report no output; reading text throws a Failure,
 * because an empty answer would be misleading.
 */
export class LogView {
  readonly #path: string;
  readonly #start: number;
  readonly #index = new LineIndex();

  constructor(file: string, start: number) {
    this.#path = file;
    this.#start = start;
  }

  size(): number {
    return Math.max(0, (this.#stat()?.size ?? 0) - this.#start);
  }

  /** When output came. */
  times(): LogTime[] {
    return readLogTimes(path.dirname(this.#path));
  }

  /** null: there is no log. */
  lastWriteMs(): number | null {
    return this.#stat()?.mtimeMs ?? null;
  }

  /** What was dropped for the disk cap: a read that begins inside starts behind it. */
  trimmed(): Trimmed {
    return readTrimmed(path.dirname(this.#path));
  }

  read(from: number, max: number): Buffer {
    const first = Math.max(from, this.trimmed().droppedBytes);
    try {
      return this.#withFile((fd) => this.#readAt(fd, first, Math.min(max, this.size() - first)));
    } catch (error) {
      if (error instanceof Failure && error.code === 'no-such-run') return Buffer.alloc(0);
      throw error;
    }
  }

  /** The bounded text between two offsets. */
  readText(from: number, to: number, options: TextOptions): LogText {
    return this.#withFile((fd) => {
      const end = Math.min(to, Math.max(0, fs.fstatSync(fd).size - this.#start));
      const first = Math.max(from, this.trimmed().droppedBytes);
      return readText((at, length) => this.#readAt(fd, at, length), { from, first, end }, options);
    });
  }

  async lines(
    { offset, from, limit, plain, patient }: LinesOptions,
    signal: AbortSignal,
  ): Promise<PlacedLines> {
    return this.#indexed(
      { signal, toLine: patient ? offset : undefined },
      async (read, { droppedLines, droppedBytes }, size) => {
        const index = this.#index;
        if (offset === undefined && (index.bytes < size || from !== undefined)) {
          const at = Math.min(from ?? 0, size);
          const first = await lineStartAt(read, { from: droppedBytes, at }, signal);
          const starts = await lastLineStarts(read, { from: first, end: size }, limit, signal);
          const lines = await readLines(read, starts, plain, signal);
          const placed = { lines, starts: starts.slice(0, -1), droppedLines };
          if (index.bytes >= size) {
            return { ...placed, offset: index.lines - lines.length, totalLines: index.lines };
          }
          const uncounted = starts.slice(0, -1).filter((at) => at > index.bytes).length;
          const totalLines = Math.max(index.endedLines + uncounted, droppedLines + lines.length);
          return { ...placed, offset: totalLines - lines.length, totalLines, atLeast: true };
        }
        // A line that was not counted to its end is left out.
        const isWhole = index.bytes >= size;
        const totalLines = isWhole ? index.lines : index.endedLines;
        const wanted = Math.max(droppedLines, offset ?? totalLines - limit);
        const first = Math.min(wanted, totalLines);
        const last = Math.min(first + limit, totalLines);
        const starts = last > first ? await index.starts(read, first, last, signal) : [];
        const lines = await readLines(read, starts, plain, signal);
        return {
          lines,
          starts: starts.slice(0, -1),
          offset: first,
          totalLines,
          droppedLines,
          ...(!isWhole && { atLeast: true as const }),
        };
      },
    );
  }

  /** The number of the line that has this byte of output; the last line, if there are fewer bytes. */
  lineAt(byte: number, signal: AbortSignal): Promise<number> {
    return this.#indexed({ signal, toLine: Number.POSITIVE_INFINITY }, (read) =>
      this.#index.lineAt(read, byte, signal),
    );
  }

  /**
   * Skips uninteresting lines in blocks and returns the number of the first line that may be interesting. `barren` gets
   * whole lines and returns how many of their bytes, up to the start of a line, are uninteresting.
   */
  async skip(from: number, barren: (lines: Buffer) => Promise<number>, signal: AbortSignal): Promise<number> {
    return this.#indexed({ signal }, async (read, { droppedLines }) => {
      const index = this.#index;
      const buffer = Buffer.allocUnsafe(skipBytes);
      let line = Math.min(Math.max(from, droppedLines), index.lines);
      let [at = index.bytes] = await index.starts(read, line, line, signal);
      for (;;) {
        signal.throwIfAborted();
        const length = Math.min(await read(buffer, at), index.bytes - at);
        const bytes = buffer.subarray(0, length);
        const whole = bytes.subarray(0, bytes.lastIndexOf(newline) + 1);
        const passed = whole.subarray(0, whole.length === 0 ? 0 : await barren(whole));
        line += countLineEnds(passed);
        at += passed.length;
        if (passed.length === 0 || passed.length < whole.length) return line;
      }
    });
  }

  /** Calls `use` with the file open and its lines counted as far as time allows. */
  async #indexed<T>(
    { signal, toLine = -1 }: { signal: AbortSignal; toLine?: number | undefined },
    use: (read: ReadAt, trimmed: Trimmed, size: number) => Promise<T>,
  ): Promise<T> {
    signal.throwIfAborted();
    const file = await fs.promises.open(this.#path, ownFileFlags).catch((error) => {
      throw this.#failure(error);
    });
    try {
      const stat = await file.stat();
      if (!stat.isFile()) throw this.#failure(new Error('not a regular file'));
      const trimmed = this.trimmed();
      const size = Math.max(0, stat.size - this.#start);
      const read: ReadAt = async (buffer, at) =>
        (await file.read(buffer, 0, buffer.length, this.#start + at)).bytesRead;
      const index = this.#index;
      if (size < index.bytes) index.reset();
      index.startAt(trimmed.droppedBytes, trimmed.droppedLines);
      const [beganMs, beganBytes] = [performance.now(), index.bytes];
      const isEnough = () =>
        index.bytes - beganBytes >= countBytesMin &&
        performance.now() - beganMs > (index.endedLines <= toLine ? patientMsMax : countMsMax);
      await index.extend(read, size, isEnough, signal);
      return await use(read, trimmed, size);
    } finally {
      await file.close();
    }
  }

  #stat(): fs.Stats | undefined {
    try {
      return fs.statSync(this.#path, { throwIfNoEntry: false });
    } catch (error) {
      const failure = this.#failure(error);
      if (failure.code === 'no-such-run') return undefined;
      throw failure;
    }
  }

  #withFile<T>(use: (fd: number) => T): T {
    let fd: number;
    try {
      fd = openOwnFile(this.#path);
    } catch (error) {
      throw this.#failure(error);
    }
    try {
      return use(fd);
    } finally {
      fs.closeSync(fd);
    }
  }

  #readAt(fd: number, at: number, length: number): Buffer {
    if (length <= 0) return Buffer.alloc(0);
    const buffer = Buffer.allocUnsafe(length);
    return buffer.subarray(0, fs.readSync(fd, buffer, 0, length, this.#start + at));
  }

  #failure(error: unknown): Failure {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      const id = path.basename(path.dirname(this.#path));
      return new Failure(
        'no-such-run',
        `the output of ${id} is no longer there`,
        'list the runs: unstuck list',
      );
    }
    return new Failure(
      'cannot-read',
      `cannot read the output: ${message}`,
      `check the file: ls -l ${this.#path}`,
    );
  }
}
