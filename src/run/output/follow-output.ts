import fs from 'node:fs';
import type { Readable } from 'node:stream';
import type { FilePiece } from '../../probe/machine.js';
import { LiveOutput } from './follow-live.js';
import { RunAgain } from './run-again.js';

/** Large enough that the calls cost little, small enough to stay in the cache of a processor. */
const chunkBytes = 256 * 1024;

/** Output of this size is passed on unread. The upper limit leaves room to check the time limits in between. */
const sendBytesMin = 1024 * 1024;
const sendBytesMax = 8 * 1024 * 1024;

/** Takes bytes in order and never fails. The buffer is used again when the promise resolves. */
export type TakeOutput = (chunk: Buffer) => Promise<void>;

/** Takes bytes of the log unread. Resolves with their number; 0: this way never works. */
export type TakePiece = (piece: FilePiece) => Promise<number>;

export interface OutputTakers {
  take: TakeOutput;
  send: TakePiece | null;
  /** Called when output bypasses the log. */
  unlogged(): void;
}

export interface OutputSource {
  /** null: nothing is logged. */
  log: { path: string; start: number } | null;
  /** Output that the log could not take. It continues where the log ends. */
  live: Readable;
}

/** Passes on one stream of a run from its growing log, in the order it was written. */
export class OutputFollower {
  readonly #take: TakeOutput;
  #send: TakePiece | null;
  readonly #path: string | null;
  readonly #fd: number | null;
  #buffer: Buffer | null = null;
  #at: number;
  readonly #start: number;
  /** Nothing is read beyond this offset. */
  #limit = Number.POSITIVE_INFINITY;
  /** What is in the log beyond this offset comes live, too. */
  #end = Number.POSITIVE_INFINITY;
  readonly #draining = new RunAgain(() => this.#drainLog());
  readonly #live: LiveOutput;

  constructor({ log, live }: OutputSource, { take, send, unlogged }: OutputTakers) {
    this.#take = take;
    this.#send = send;
    this.#path = log?.path ?? null;
    this.#fd = log === null ? null : fs.openSync(log.path, 'r');
    this.#start = log?.start ?? 0;
    this.#at = this.#start;
    this.#live = new LiveOutput(live, async (chunk) => {
      if (!this.isLive) unlogged();
      // The drain switched to this pipe after the last byte that it could log.
      await this.drain();
      await this.#take(chunk);
    });
  }

  /** Bytes of output passed on so far. */
  get bytes(): number {
    return this.#at - this.#start + this.#live.bytes;
  }

  /** Bytes in the log that have not been passed on. */
  get lag(): number {
    return Math.max(0, Math.min(this.size(), this.#end) - this.#at);
  }

  get path(): string | null {
    return this.#path;
  }

  size(): number {
    return this.#fd === null ? 0 : fs.fstatSync(this.#fd).size;
  }

  trim(): void {
    try {
      if (this.#path !== null) fs.truncateSync(this.#path, this.size());
    } catch {
      // The space stays reserved until the run is removed.
    }
  }

  get isLive(): boolean {
    return this.#end < Number.POSITIVE_INFINITY;
  }

  /** From now on the output comes live, and the log gets a copy. */
  goLive(): void {
    this.#end = this.size();
  }

  /** Something was written: passes on everything available. */
  drain(): Promise<void> {
    return this.#draining.run();
  }

  /** After the shim has ended: passes on the rest. */
  async finish(): Promise<void> {
    await this.#live.ended;
    await this.drain();
  }

  /**
   * Passes on what is in the log or on its way past the log now, and nothing that comes later. `isDrained`: nothing is
   * on its way to us any more.
   */
  async drainPresent(isDrained: () => Promise<boolean>): Promise<void> {
    if (this.#fd !== null) this.#limit = fs.fstatSync(this.#fd).size;
    await this.drain();
    if (this.#fd === null || this.#live.isUsed) await this.#live.present(isDrained);
  }

  close(): void {
    if (this.#fd !== null) fs.closeSync(this.#fd);
  }

  async #drainLog(): Promise<void> {
    if (this.#fd === null) return;
    try {
      await this.#passOn(this.#fd);
    } catch {
      // An unreadable log loses output, but does not end the command.
      this.#limit = this.#at;
    }
  }

  async #passOn(file: number): Promise<void> {
    this.#buffer ??= Buffer.allocUnsafeSlow(chunkBytes);
    // Bytes that arrive during a send are sent too, however few: reading a part of a flood costs more than it is worth.
    let least = sendBytesMin;
    for (;;) {
      if (await this.#sendSome(file, least)) {
        least = 1;
        continue;
      }
      // The bytes were written a moment ago and are in memory, so a read in a thread would only cost time.
      const wanted = Math.min(chunkBytes, this.#limit - this.#at, this.#end - this.#at);
      const length = wanted > 0 ? fs.readSync(file, this.#buffer, 0, wanted, this.#at) : 0;
      if (length === 0) return;
      this.#at += length;
      await this.#take(this.#buffer.subarray(0, length));
    }
  }

  /** Reading and writing a flood costs more than all other work here. */
  async #sendSome(file: number, least: number): Promise<boolean> {
    if (this.#send === null) return false;
    const present = Math.min(fs.fstatSync(file).size, this.#limit, this.#end) - this.#at;
    if (present < least) return false;
    const sent = await this.#send({ file, at: this.#at, length: Math.min(present, sendBytesMax) });
    if (sent === 0) this.#send = null;
    this.#at += sent;
    return sent > 0;
  }
}
