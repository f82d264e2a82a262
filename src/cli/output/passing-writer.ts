import fs from 'node:fs';
import { type FilePiece, sendFile } from '../../control/run.js';

/** Retry interval when another process has made our output non-blocking. */
const retryMs = 5;

/**
 * Writes to a descriptor in order without blocking the event loop: the reader may be slow, stopped or a paused
 * terminal, and time limits still apply.
 */
export class PassingWriter {
  readonly #fd: number;
  /** A file never blocks; a thread would only cost time. */
  readonly #isFile: boolean;
  /** /dev/null: what is written there need not be read first. */
  readonly #isNull: boolean;
  #last: Promise<void> = Promise.resolve();
  /** Start of the current write; null: none. */
  #sinceMs: number | null = null;
  #givenUp = false;
  #stopWaiting: ((error: Error) => void) | null = null;

  constructor(fd: number) {
    this.#fd = fd;
    const stat = statOf(fd);
    this.#isFile = isFile(stat);
    this.#isNull = isNull(stat);
  }

  /** How long the current write has been blocked because the reader does not read. */
  get blockedMs(): number {
    return this.#sinceMs === null ? 0 : performance.now() - this.#sinceMs;
  }

  /** Resolves when everything is written; rejects when the reader is gone. */
  write(chunk: Uint8Array): Promise<void> {
    const written = this.#last.then(() => this.#writeAll(chunk));
    this.#last = written.catch(() => {});
    return written;
  }

  /**
   * Copies bytes of a file inside the kernel; resolves with their number. 0: they must be read and written. A pipe
   * takes no more at once than a write, so nothing is gained there.
   */
  send(piece: FilePiece): Promise<number> {
    const sent = this.#last.then(() => {
      if (this.#isNull) return piece.length;
      return this.#isFile && !this.#givenUp ? sendFile(this.#fd, piece) : 0;
    });
    this.#last = sent.then(() => {});
    return sent;
  }

  /** Stops waiting for the blocked write and everything after it. */
  giveUp(): void {
    if (this.#sinceMs === null) return;
    this.#givenUp = true;
    this.#stopWaiting?.(new Error('the reader does not read'));
  }

  async #writeAll(chunk: Uint8Array): Promise<void> {
    for (let at = 0; at < chunk.length; ) {
      if (this.#givenUp) throw new Error('the reader does not read');
      at += this.#isFile ? fs.writeSync(this.#fd, chunk, at) : await this.#writeSome(chunk, at);
    }
  }

  #writeSome(chunk: Uint8Array, at: number): Promise<number> {
    this.#sinceMs ??= performance.now();
    return new Promise((resolve, reject) => {
      this.#stopWaiting = reject;
      fs.write(this.#fd, chunk, at, chunk.length - at, null, (error, written) => {
        if (error?.code === 'EAGAIN') {
          setTimeout(() => resolve(0), retryMs);
          return;
        }
        this.#sinceMs = null;
        this.#stopWaiting = null;
        if (error === null) resolve(written);
        else reject(error);
      });
    });
  }
}

/** /dev/null, /dev/full and the like. */
const memoryDevices = 1;
const nullDevice = 0x103;

/** Whether writing never blocks. */
function isFile(stat: fs.Stats | null): boolean {
  return stat !== null && (stat.isFile() || (stat.isCharacterDevice() && stat.rdev >> 8 === memoryDevices));
}

const isNull = (stat: fs.Stats | null) => stat?.isCharacterDevice() === true && stat.rdev === nullDevice;

/** null: closed. */
function statOf(fd: number): fs.Stats | null {
  try {
    return fs.fstatSync(fd);
  } catch {
    return null;
  }
}
