import { boundsOfLines, clippedRows, isBlank, newline, paintLine, uncut } from './line-rows.js';

/** Older output than this many bytes is counted, but can no longer be read. */
const windowBytes = 64 * 1024;
const firstBufferBytes = 4096;
const linesKept = 50;
const linesReadMax = 1000;

/** Lines that ended since the last poll, for the recognisers. */
export interface FreshLines {
  lines: string[];
  /** Lines were skipped: more came than is worth reading. */
  missed: boolean;
}

/** The line that has not ended. */
export interface Unfinished {
  /** The visible text of the line: a prompt, a progress bar. Empty: nothing. */
  text: string;
  /** The line was painted over at least once: it is a bar, not the beginning of a line. */
  repainted: boolean;
}

const nothing: Unfinished = Object.freeze({ text: '', repainted: false });

/** Bytes that were not read yet, and how to get the last of them. */
interface Deferred {
  source: unknown;
  bytes: number;
  readEnd(length: number): Uint8Array;
}

/**
 * The end of an output stream, in constant memory. Taking bytes in is cheap (keep the last 64 KB); lines are made only
 * on a poll, so a flood costs one poll per tick, and the result never depends on how the bytes were cut into chunks.
 */
export class LineTail {
  #buffer = new Uint8Array(firstBufferBytes);
  #filled = 0;
  #bytes = 0;
  /** Offset of the line that has not ended. */
  #lineStart = 0;
  /** Offset of the first line not yet made into text, and of its end; null: it has not ended. */
  #readTo = 0;
  #firstEnd: number | null = null;
  /** Offset of a line whose beginning was skipped; null: there is none. */
  #cutAt: number | null = null;
  #kept: string[] = [];
  #fresh: string[] = [];
  #missed = false;
  #deferred: Deferred | null = null;

  /** Finds the first and the last newline only: this runs over every byte of the output. */
  push(chunk: Uint8Array): void {
    this.settle();
    const first = this.#firstEnd === null ? chunk.indexOf(newline) : 0;
    const last = first === -1 ? -1 : chunk.lastIndexOf(newline);
    if (last !== -1) {
      this.#firstEnd ??= this.#bytes + first;
      this.#lineStart = this.#bytes + last + 1;
    }
    this.#bytes += chunk.length;
    this.#keep(chunk.length > windowBytes ? chunk.subarray(-windowBytes) : chunk);
  }

  /** This many bytes came and will never be read: the following bytes begin in the middle of a line. */
  skip(bytes: number): void {
    this.settle();
    this.#split();
    this.#bytes += bytes;
    this.#filled = 0;
    this.#lineStart = this.#bytes;
    this.#readTo = this.#bytes;
    this.#cutAt = this.#bytes;
    this.#missed = true;
  }

  /** This many bytes came and can still be read in their place, if a poll happens before more of them come. */
  defer(deferred: Deferred): void {
    if (this.#deferred?.source !== deferred.source) this.settle();
    const before = this.#deferred?.bytes ?? 0;
    this.#deferred = { ...deferred, bytes: before + deferred.bytes };
  }

  get bytes(): number {
    return this.#bytes + (this.#deferred?.bytes ?? 0);
  }

  get unfinished(): Unfinished {
    this.settle();
    // Asked at every tick and poll of every run, and mostly the last line has ended.
    if (this.#lineStart === this.#bytes && this.#lineStart !== this.#cutAt) return nothing;
    const { bytes, from } = this.#window();
    const { rows, wiped, repainted } = paintLine(bytes.subarray(Math.max(0, this.#lineStart - from)), {
      bytes: Math.max(0, from - this.#lineStart),
      isLeast: this.#lineStart === this.#cutAt,
    });
    return { text: rows.findLast((row) => row.trim() !== '') ?? wiped, repainted };
  }

  /** The last line that is not blank, ended or not. */
  get lastLine(): string {
    return (this.unfinished.text || (this.#split().at(-1) ?? '')).trim();
  }

  /** The last lines that are not blank, oldest first. */
  get lastLines(): string[] {
    return [...this.#split(), this.unfinished.text].filter((line) => line !== '').slice(-linesKept);
  }

  /** Each line is returned once. The line that has not ended is in `unfinished`. */
  takeFresh(): FreshLines {
    this.#split();
    const fresh = { lines: this.#fresh, missed: this.#missed };
    this.#fresh = [];
    this.#missed = false;
    return fresh;
  }

  /** Reads the deferred bytes: after this nothing is read any more. */
  settle(): void {
    if (this.#deferred === null) return;
    const { bytes, readEnd } = this.#deferred;
    this.#deferred = null;
    const end = readEnd(Math.min(bytes, windowBytes));
    if (end.length === bytes) {
      this.push(end);
      return;
    }
    const lineStart = this.#lineStart;
    const cut = end.indexOf(newline) + 1;
    this.skip(bytes - end.length + cut);
    this.#cutAt = null;
    // Where no line ends, the text may belong to the line that began earlier.
    if (cut === 0) this.#lineStart = this.#readTo = lineStart;
    this.push(end.subarray(cut));
  }

  /** Amortised: the buffer holds twice the window before anything is moved. */
  #keep(bytes: Uint8Array): void {
    if (this.#filled + bytes.length > this.#buffer.length) {
      const old = this.#buffer.subarray(
        this.#filled - Math.min(this.#filled, windowBytes - bytes.length),
        this.#filled,
      );
      const needed = 2 * (old.length + bytes.length);
      const larger = Math.min(2 * windowBytes, needed);
      const next = larger > this.#buffer.length ? new Uint8Array(larger) : this.#buffer;
      next.set(old);
      this.#buffer = next;
      this.#filled = old.length;
    }
    this.#buffer.set(bytes, this.#filled);
    this.#filled += bytes.length;
  }

  #window(): { bytes: Uint8Array; from: number } {
    const length = Math.min(this.#filled, windowBytes);
    return {
      bytes: this.#buffer.subarray(this.#filled - length, this.#filled),
      from: this.#bytes - length,
    };
  }

  /** Makes the lines that ended since the last poll into text. */
  #split(): string[] {
    this.settle();
    if (this.#firstEnd === null) return this.#kept;
    const { bytes, from } = this.#window();
    const first = Math.max(0, this.#readTo - from);
    const bounds = boundsOfLines(bytes, first, Math.max(0, this.#lineStart - from));
    const pushedOut = this.#firstEnd < from;
    // The window may begin inside a line: its end is worth showing only when its beginning is known.
    if (pushedOut) bounds.shift();
    const cut = { bytes: Math.max(0, from - this.#readTo), isLeast: this.#readTo === this.#cutAt };
    const written = bounds.filter(([start, end]) => !isBlank(bytes, start, end));
    const worth = written.slice(-linesReadMax);
    const lines = worth
      .flatMap(([start, end]) => clippedRows(bytes.subarray(start, end), start === first ? cut : uncut))
      .slice(-linesReadMax);
    this.#fresh = [...this.#fresh, ...lines];
    this.#missed ||= pushedOut || worth.length < written.length;
    if (this.#fresh.length > linesReadMax) {
      this.#missed = true;
      this.#fresh = this.#fresh.slice(-linesReadMax);
    }
    this.#kept = [...this.#kept, ...lines].slice(-linesKept);
    this.#readTo = this.#lineStart;
    this.#firstEnd = null;
    return this.#kept;
  }
}
