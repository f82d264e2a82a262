import fs from 'node:fs';
import type { RunSettings } from '../../config/run-settings.js';
import { LineTail } from '../../diagnose/progress/lines.js';
import type { Progress, RunLog } from '../../model/run.js';
import type { RunDirectory } from '../../store/run-directory.js';
import { OutputReader } from '../output-reader.js';

/** Of more than this only the end is read: it is in the log for whoever wants it all. */
const readMax = 64 * 1024;

/** The end of a log that nobody follows, looked at now and then. Nothing stays open in between. */
export class OutputTail {
  readonly #path: string;
  readonly #start: number;
  readonly #tail = new LineTail();
  readonly #reader: OutputReader;
  #bytes = 0;
  #lastWriteMs = 0;

  constructor(directory: RunDirectory, log: RunLog, settings: RunSettings) {
    this.#path = directory.file(log.file);
    this.#start = log.start;
    this.#reader = new OutputReader(this.#tail, settings);
  }

  /** All there was at the last look. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Wall clock; 0: never. */
  get lastWriteMs(): number {
    return this.#lastWriteMs;
  }

  get lastLine(): string {
    return this.#tail.lastLine;
  }

  get lastLines(): string[] {
    return this.#tail.lastLines;
  }

  get progress(): Progress | null {
    return this.#reader.progress();
  }

  phase(programs: readonly string[]): string | null {
    return this.#reader.phase(programs);
  }

  /** One heartbeat further; a reason: the output has stalled. */
  beat(elapsedMs: number): string | null {
    return this.#reader.beat(elapsedMs);
  }

  /** Reads what is new; whether there was anything. A log that cannot be read says nothing. */
  look(): boolean {
    try {
      const stat = fs.statSync(this.#path);
      const bytes = Math.max(0, stat.size - this.#start);
      if (bytes === this.#bytes) return false;
      this.#lastWriteMs = stat.mtimeMs;
      this.#read(bytes);
      return true;
    } catch {
      return false;
    }
  }

  #read(bytes: number): void {
    // It has become shorter: not our doing. What is there now counts as new.
    if (bytes < this.#bytes) this.#bytes = 0;
    const from = Math.max(this.#bytes, bytes - readMax);
    if (from > this.#bytes) this.#tail.skip(from - this.#bytes);
    const chunk = Buffer.allocUnsafe(bytes - from);
    const fd = fs.openSync(this.#path, 'r');
    try {
      const length = fs.readSync(fd, chunk, 0, chunk.length, this.#start + from);
      this.#tail.push(chunk.subarray(0, length));
      this.#bytes = from + length;
    } finally {
      fs.closeSync(fd);
    }
    this.#reader.look(performance.now());
  }
}
