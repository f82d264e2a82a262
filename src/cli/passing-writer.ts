import fs from 'node:fs';
import { type FilePiece, sendFile } from '../control/run.js';

/** How long to wait for room when somebody made our output non-blocking. */
const retryMs = 5;

/**
 * Writes to a descriptor of ours, in order, without ever blocking the loop: the reader may be slow, stopped or a
 * person who has paused the terminal, and limits still have to be kept.
 */
export class PassingWriter {
  readonly #fd: number;
  /** A file takes everything at once; a thread would only cost time. */
  readonly #isFile: boolean;
  #last: Promise<void> = Promise.resolve();
  /** When what is being written now was begun; null: nothing is. */
  #sinceMs: number | null = null;
  #givenUp = false;
  #stopWaiting: ((error: Error) => void) | null = null;

  constructor(fd: number) {
    this.#fd = fd;
    this.#isFile = isFile(fd);
  }

  /** For how long a write has been stuck in the system: whoever should read does not. */
  get blockedMs(): number {
    return this.#sinceMs === null ? 0 : performance.now() - this.#sinceMs;
  }

  /** Resolves when all of it has been written; rejects when nobody will read it. */
  write(chunk: Uint8Array): Promise<void> {
    const written = this.#last.then(() => this.#writeAll(chunk));
    this.#last = written.catch(() => {});
    return written;
  }

  /**
   * Writes bytes of a file that need not be seen here; resolves with how many. 0: they have to be read and written. A
   * pipe takes no more of them at once than a write, so there is nothing to gain.
   */
  send(piece: FilePiece): Promise<number> {
    const sent = this.#last.then(() => (this.#isFile && !this.#givenUp ? sendFile(this.#fd, piece) : 0));
    this.#last = sent.then(() => {});
    return sent;
  }

  /** What is stuck now is not waited for any longer, nor is anything after it. */
  giveUp(): void {
    if (this.#sinceMs === null) return;
    this.#givenUp = true;
    this.#stopWaiting?.(new Error('nobody reads'));
  }

  async #writeAll(chunk: Uint8Array): Promise<void> {
    for (let at = 0; at < chunk.length; ) {
      if (this.#givenUp) throw new Error('nobody reads');
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

/** What never makes us wait. */
function isFile(fd: number): boolean {
  try {
    const stat = fs.fstatSync(fd);
    return stat.isFile() || (stat.isCharacterDevice() && stat.rdev >> 8 === memoryDevices);
  } catch {
    return false;
  }
}
