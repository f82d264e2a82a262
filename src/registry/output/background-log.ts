import path from 'node:path';
import { ScreenMonitor } from '../../run/health/screen-monitor.js';
import { OutputClues } from '../../run/output/clues.js';
import { LogView } from '../../store/log/log-view.js';
import { readTrimmed } from '../../store/log/trimmed.js';
import { Cursors } from '../cursors.js';
import { OutputTail, type OutputTailOptions } from './output-tail.js';
import { trimLog } from './trim-log.js';

export interface BackgroundLogOptions extends OutputTailOptions {
  /** Its input can be written to. */
  canAnswer: boolean;
  /** How many bytes of the log may be kept now. */
  capBytes(): number;
  warn(message: string): void;
}

/** Output of this size between two checks could fill a disk before the next tick. */
const fastBytes = 16 * 1024 * 1024;
const fastEveryMs = 250;
const heldEveryMs = 5000;

/** The output of a single run. */
export class BackgroundLog {
  readonly path: string;
  /** Bytes of the header before the first byte of output. */
  readonly start: number;
  readonly view: LogView;
  readonly cursors: Cursors;
  readonly tail: OutputTail;
  readonly clues: OutputClues;
  readonly #options: BackgroundLogOptions;
  /** Bytes that were dropped; null: the amount that an earlier daemon dropped is not read yet. */
  #dropped: number | null = null;
  /** `impossible`: this log cannot be trimmed. */
  #trim: 'idle' | 'going' | 'impossible' = 'idle';
  #checkedBytes = 0;
  #timer: NodeJS.Timeout | null = null;
  #held: NodeJS.Timeout | null = null;

  constructor(options: BackgroundLogOptions) {
    this.#options = options;
    const { directory, log, settings, unseenMs, onTerminal, canAnswer, warn } = options;
    this.path = directory.file(log.file);
    this.start = log.start;
    this.view = new LogView(this.path, this.start);
    this.cursors = new Cursors(directory);
    this.tail = new OutputTail({ directory, log, settings, unseenMs, onTerminal });
    const screen = onTerminal === null ? null : new ScreenMonitor({ path: this.path, start: log.start });
    this.clues = new OutputClues({ output: this.tail, settings, canAnswer, screen, warn });
  }

  /** Bytes of output on the disk; 0 while that cannot be read, so that nothing is dropped because of it. */
  get keptBytes(): number {
    const { bytes } = this.tail;
    if (bytes === 0) return 0;
    try {
      this.#dropped ??= readTrimmed(path.dirname(this.path)).droppedBytes;
    } catch {
      return 0;
    }
    return Math.max(0, bytes - this.#dropped);
  }

  /** Drops the oldest output when the log has grown too large. A fast-growing log is checked more often. */
  keepToCap(): void {
    const { bytes } = this.tail;
    if (this.#trim === 'idle' && this.keptBytes > this.#options.capBytes()) void this.#trimNow();
    const isFast = bytes - this.#checkedBytes > fastBytes;
    this.#checkedBytes = bytes;
    if (!isFast || this.#timer !== null) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.tail.catchUp();
      this.keepToCap();
    }, fastEveryMs).unref();
  }

  /** A log that has ended is not cut because other runs have begun since. */
  end(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  /** A process that outlived the command may print more. The log is kept to its limit as long as the shim lives. */
  keepWhileHeld(isHeld: () => boolean): void {
    this.#held ??= setInterval(() => {
      const { bytes } = this.tail;
      this.tail.catchUp();
      if (this.tail.bytes > bytes) this.keepToCap();
      if (!isHeld()) this.close();
    }, heldEveryMs).unref();
  }

  close(): void {
    if (this.#held !== null) clearInterval(this.#held);
  }

  /** How long nothing was printed; null: nothing was ever printed. */
  silentMs(): number | null {
    this.tail.catchUp();
    const { lastWriteMs } = this.tail;
    return lastWriteMs === 0 ? null : Math.max(0, Date.now() - lastWriteMs);
  }

  async #trimNow(): Promise<void> {
    const { capBytes, warn } = this.#options;
    this.#trim = 'going';
    const result = await trimLog(this.path, { start: this.start, capBytes: capBytes() });
    this.#trim = result.kind === 'not-trimmed' ? 'impossible' : 'idle';
    if (result.kind === 'trimmed') this.#dropped = result.droppedBytes;
    if ('reason' in result) warn(`the log grows beyond its limit: ${result.reason}`);
  }
}
