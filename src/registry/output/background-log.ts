import type { RunSettings } from '../../config/run-settings.js';
import type { RunLog } from '../../model/run/run.js';
import { ScreenMonitor } from '../../run/health/screen-monitor.js';
import { OutputClues } from '../../run/output/clues.js';
import { LogView } from '../../store/log/log-view.js';
import type { RunDirectory } from '../../store/run-directory.js';
import { Cursors } from '../cursors.js';
import { LogCap } from './log-cap.js';
import { OutputTail } from './output-tail.js';

export interface BackgroundLogOptions {
  directory: RunDirectory;
  log: RunLog;
  settings: RunSettings;
  onTerminal: string | null;
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
  readonly #cap: LogCap;
  #checkedBytes = 0;
  #timer: NodeJS.Timeout | null = null;
  #held: NodeJS.Timeout | null = null;

  constructor(options: BackgroundLogOptions) {
    const { directory, log, settings, onTerminal, canAnswer, capBytes, warn } = options;
    this.path = directory.file(log.file);
    this.start = log.start;
    this.view = new LogView(this.path, this.start);
    this.cursors = new Cursors(directory);
    this.tail = new OutputTail({ directory, log, settings, onTerminal });
    const { path, start } = this;
    const screen = onTerminal === null ? null : new ScreenMonitor({ path, start });
    this.clues = new OutputClues({ output: this.tail, settings, canAnswer, screen, warn });
    this.#cap = new LogCap({ path: this.path, start: this.start, capBytes, warn });
  }

  /** Bytes of output on the disk. */
  get keptBytes(): number {
    return this.#cap.keptOf(this.tail.bytes);
  }

  /** Drops the oldest output when the log has grown too large. A fast-growing log is checked more often. */
  keepToCap(): void {
    const { bytes } = this.tail;
    this.#cap.check(bytes);
    const isFast = bytes - this.#checkedBytes > fastBytes;
    this.#checkedBytes = bytes;
    if (!isFast || this.#timer !== null) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.tail.catchUp();
      this.keepToCap();
    }, fastEveryMs).unref();
  }

  /** A process that outlived the command may print more. The log is kept to its limit as long as the shim lives. */
  keepWhileHeld(isHeld: () => boolean): void {
    this.#held ??= setInterval(() => {
      this.tail.catchUp();
      this.keepToCap();
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
}
