import fs from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { firstByteSince, isWrittenBefore, readLogTimes, readTrimmed } from '../run-files.js';

const chunkBytes = 256 * 1024;
/** Poll interval where changes are not reported (a network file system, no watches left). */
const pollEveryMs = 200;
const newline = 10;
const lastBytesMax = 16 * 1024 * 1024;

/** The log of a run, read in order as it grows. */
export class GrowingFile {
  readonly #fd: number;
  readonly #buffer = Buffer.allocUnsafe(chunkBytes);
  readonly #path: string;
  readonly #start: number;

  /** `start`: length of the header in bytes. */
  constructor(path: string, start: number) {
    this.#path = path;
    this.#start = start;
    this.#fd = fs.openSync(path, 'r');
  }

  /** The first byte that is kept: the head may have been dropped for the disk cap, and reads as zeros. */
  get first(): number {
    return this.#start + readTrimmed(dirname(this.#path)).droppedBytes;
  }

  /** Offset of the first byte that may have been printed after this time. */
  since(sinceMs: number): number {
    const stat = fs.fstatSync(this.#fd);
    if (isWrittenBefore(stat.mtimeMs, sinceMs)) return stat.size;
    return Math.max(this.first, this.#start + firstByteSince(readLogTimes(dirname(this.#path)), sinceMs));
  }

  get size(): number {
    return fs.fstatSync(this.#fd).size;
  }

  close(): void {
    fs.closeSync(this.#fd);
  }

  /** Offset where the last `count` lines begin; with very long lines, fewer lines. */
  lastLines(count: number): number {
    const from = Math.max(this.first, this.size - lastBytesMax);
    let left = count;
    let end = this.size;
    if (count === 0) return end;
    for (let isLast = true; end > from; ) {
      const start = Math.max(from, end - chunkBytes);
      const length = fs.readSync(this.#fd, this.#buffer, 0, end - start, start);
      for (let index = length - 1; index >= 0; index -= 1) {
        if (this.#buffer[index] !== newline) isLast = false;
        else if (isLast) isLast = false;
        else {
          left -= 1;
          if (left === 0) return start + index + 1;
        }
      }
      end = start;
    }
    return from;
  }

  /** Passes on the bytes between two offsets; returns the offset where it ended. The chunk is reused. */
  async pass(
    from: number,
    take: (chunk: Buffer) => Promise<void> | void,
    to = Number.POSITIVE_INFINITY,
  ): Promise<number> {
    for (let at = from; ; ) {
      const wanted = Math.min(chunkBytes, to - at);
      const length = wanted > 0 ? fs.readSync(this.#fd, this.#buffer, 0, wanted, at) : 0;
      if (length === 0) return at;
      at += length;
      await take(this.#buffer.subarray(0, length));
    }
  }

  /** Passes on new bytes until the signal, then the rest that is there. */
  async follow(from: number, take: (chunk: Buffer) => Promise<void>, signal: AbortSignal): Promise<number> {
    let wake = () => {};
    const watcher = this.#watch(() => wake());
    let at = from;
    try {
      while (!signal.aborted) {
        const changed = new Promise<void>((resolve) => {
          wake = resolve;
        });
        at = await this.pass(Math.max(at, this.first), take);
        const stop = new AbortController();
        const late = delay(pollEveryMs, undefined, { signal: AbortSignal.any([signal, stop.signal]) });
        await Promise.race([changed, late.catch(() => {})]);
        stop.abort();
      }
      return await this.pass(at, take);
    } finally {
      watcher?.close();
    }
  }

  #watch(changed: () => void): fs.FSWatcher | null {
    try {
      return fs.watch(this.#path, changed).on('error', () => {});
    } catch {
      return null;
    }
  }
}

/** Where the output begins that is printed first. */
export interface FirstOutput {
  /** undefined: all of it. */
  lastLines: number | undefined;
  /** Wall clock; undefined: from the beginning. */
  sinceMs: number | undefined;
}

export function startOf(file: GrowingFile, { lastLines, sinceMs }: FirstOutput): number {
  return Math.max(
    lastLines === undefined ? file.first : file.lastLines(lastLines),
    sinceMs === undefined ? 0 : file.since(sinceMs),
  );
}
