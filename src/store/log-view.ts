import fs from 'node:fs';
import path from 'node:path';
import { Failure } from '../model/failure.js';
import { lastLineStarts } from './last-lines.js';
import { countLineEnds, LineIndex, type ReadAt } from './line-index.js';
import { readLines } from './log-line.js';
import { type LogText, readText, type TextOptions } from './log-text.js';
import { openOwnFile, ownFileFlags } from './open-own-file.js';
import { readTrimmed, type Trimmed } from './trimmed.js';

const newline = 0x0a;
/** So much is looked at at once. */
const skipBytes = 256 * 1024;

export interface LinesOptions {
  /** Number of the first line; without it the last `limit` lines. */
  offset?: number | undefined;
  limit: number;
  plain: boolean;
  /** Count on, for a while, until the first line is reached. */
  patient?: true;
}

export interface LogLines {
  lines: string[];
  /** Number of the first of them. */
  offset: number;
  /** Those that were given up included; one that has not ended is one. */
  totalLines: number;
  droppedLines: number;
  /** The log is so long that not all of its lines were counted in time: there are at least `totalLines`. */
  atLeast?: true;
}

/** So many bytes are counted for one answer, and what there is time for; the next answer goes on from there. */
const countBytesMin = 64 * 1024 * 1024;
const countMsMax = 500;
const patientMsMax = 5000;

/**
 * The output of a run as it is on disk. All offsets are bytes of output: the header does not count. Nothing is
 * open between two calls. A run whose directory is gone has no output (`size`, `lastWriteMs`, `read`); asked for
 * text, that is a Failure, as nobody would believe an empty answer.
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

  /** null: there is no log. */
  lastWriteMs(): number | null {
    return this.#stat()?.mtimeMs ?? null;
  }

  /** What was given up for the disk cap: a read that begins in it begins behind it. */
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

  /** What lies between two offsets, bounded. */
  readText(from: number, to: number, options: TextOptions): LogText {
    return this.#withFile((fd) => {
      const end = Math.min(to, Math.max(0, fs.fstatSync(fd).size - this.#start));
      const first = Math.max(from, this.trimmed().droppedBytes);
      return readText((at, length) => this.#readAt(fd, at, length), { from, first, end }, options);
    });
  }

  async lines({ offset, limit, plain, patient }: LinesOptions, signal: AbortSignal): Promise<LogLines> {
    return this.#indexed(
      { signal, toLine: patient ? offset : undefined },
      async (read, { droppedLines, droppedBytes }, size) => {
        const index = this.#index;
        if (index.bytes < size && offset === undefined) {
          const starts = await lastLineStarts(read, { from: droppedBytes, end: size }, limit, signal);
          const lines = await readLines(read, starts, plain, signal);
          const uncounted = starts.slice(0, -1).filter((at) => at > index.bytes).length;
          const totalLines = Math.max(index.endedLines + uncounted, droppedLines + lines.length);
          return { lines, offset: totalLines - lines.length, totalLines, droppedLines, atLeast: true };
        }
        // A line that was not counted to its end is not known.
        const isWhole = index.bytes >= size;
        const totalLines = isWhole ? index.lines : index.endedLines;
        const wanted = Math.max(droppedLines, offset ?? totalLines - limit);
        const first = Math.min(wanted, totalLines);
        const last = Math.min(first + limit, totalLines);
        const starts = last > first ? await index.starts(read, first, last, signal) : [];
        const lines = await readLines(read, starts, plain, signal);
        return {
          lines,
          offset: first,
          totalLines,
          droppedLines,
          ...(!isWhole && { atLeast: true as const }),
        };
      },
    );
  }

  /**
   * Goes on from a line over all that is of no interest, many lines at once, and returns the number of the first that
   * may be of some. `barren` says how many of these bytes, all whole lines, are not: up to the beginning of a line.
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

  /** With the file open and its lines counted, as far as there was time for it. */
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
      if (!stat.isFile()) throw this.#failure(new Error('it is no file'));
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
        'see what is: unstuck list',
      );
    }
    return new Failure('cannot-read', `the output cannot be read: ${message}`, `look at ${this.#path}`);
  }
}
