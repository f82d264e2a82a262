import path from 'node:path';
import { readTrimmed } from '../../store/log/trimmed.js';
import { trimLog } from './trim-log.js';

export interface LogCapOptions {
  path: string;
  /** Bytes of the header. */
  start: number;
  /** How many bytes may be kept now. */
  capBytes(): number;
  warn(message: string): void;
}

/** Keeps a growing log from filling the disk by dropping its oldest part. */
export class LogCap {
  readonly #options: LogCapOptions;
  /** null: the amount that an earlier daemon dropped is not read yet. */
  #dropped: number | null = null;
  #trimming = false;
  #impossible = false;

  constructor(options: LogCapOptions) {
    this.#options = options;
  }

  /**
   * How many of `bytes` of output are on disk; 0 while that cannot be read, so that nothing is dropped because of it.
   */
  keptOf(bytes: number): number {
    if (bytes === 0) return 0;
    try {
      this.#dropped ??= readTrimmed(path.dirname(this.#options.path)).droppedBytes;
    } catch {
      return 0;
    }
    return Math.max(0, bytes - this.#dropped);
  }

  check(bytes: number): void {
    const { path: file, start, capBytes } = this.#options;
    if (this.#trimming || this.#impossible || this.keptOf(bytes) <= capBytes()) return;
    this.#trimming = true;
    void this.#trim(file, start, capBytes()).finally(() => {
      this.#trimming = false;
    });
  }

  async #trim(file: string, start: number, capBytes: number): Promise<void> {
    const result = await trimLog(file, { start, capBytes });
    if (result.kind === 'trimmed') this.#dropped = result.droppedBytes;
    if (result.kind !== 'not-trimmed' && result.kind !== 'not-now') return;
    this.#impossible = result.kind === 'not-trimmed';
    this.#options.warn(`the log grows beyond its limit: ${result.reason}`);
  }
}
