import fs from 'node:fs';

/** How long to wait for room when somebody made our output non-blocking. */
const retryMs = 5;

/**
 * Writes to a descriptor of ours without ever blocking the loop: the reader may be slow, stopped or a person who
 * has paused the terminal, and limits still have to be kept.
 */
export class PassingWriter {
  readonly #fd: number;
  #pending = false;
  #giveUp: ((error: Error) => void) | null = null;

  constructor(fd: number) {
    this.#fd = fd;
  }

  /** A write is stuck in the system: whoever should read does not. */
  get isBlocked(): boolean {
    return this.#pending;
  }

  /** Resolves when all of it has been written; rejects when nobody will read it any more. */
  async write(chunk: Uint8Array): Promise<void> {
    for (let at = 0; at < chunk.length; ) at += await this.#some(chunk, at);
  }

  /** What is stuck now is not waited for any longer. */
  giveUp(): void {
    this.#giveUp?.(new Error('nobody reads'));
  }

  #some(chunk: Uint8Array, at: number): Promise<number> {
    this.#pending = true;
    return new Promise((resolve, reject) => {
      this.#giveUp = reject;
      fs.write(this.#fd, chunk, at, chunk.length - at, null, (error, written) => {
        this.#pending = false;
        this.#giveUp = null;
        if (error === null) resolve(written);
        else if (error.code === 'EAGAIN') setTimeout(() => resolve(0), retryMs);
        else reject(error);
      });
    });
  }
}
