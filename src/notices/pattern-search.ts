import { addToExcerpt, outputLinesMax } from '../diagnose/notices/limits.js';
import { unionOf } from '../diagnose/notices/line-ends.js';
import type { Matches } from '../diagnose/notices/match-window.js';
import { type Pattern, readPatterns, tooSlow } from '../diagnose/notices/pattern.js';
import type { Failure } from '../model/failure.js';
import { unfinishedBytes } from '../text/utf8-cut.js';
import { findRegex, findText } from './find-lines.js';

/** Only this much of the beginning of a longer line is searched. */
const lineBytesMax = 64 * 1024;
const pieceBytesMax = 1024 * 1024;

const newline = 0x0a;
const carriageReturn = 0x0d;

/** What is in a piece of output, with as many lines as a notice shows. */
export interface Findings extends Matches {
  /** Patterns that took too long and are no longer searched for. Each is reported once; the others go on. */
  failures: Failure[];
}

const nothing = (): Findings => ({ count: 0, first: null, lines: [], failures: [] });

/**
 * Searches for texts and regular expressions line by line, across the borders of pieces and in constant memory. The
 * result does not depend on how the output is cut. A line ends with a newline; a carriage return before it is not part
 * of the line.
 */
export class PatternSearch {
  #patterns: Pattern[];
  /** The beginning of the line that has not ended. */
  readonly #kept = Buffer.alloc(lineBytesMax);
  #keptBytes = 0;
  /** Where in the output that line begins, and where the next byte will be. */
  #lineAt: number;
  #at: number;
  /** The line matched before its end, and does not count again. */
  #isCounted = false;
  #searchedBytes = 0;

  /** `from`: the offset in the output of the first byte that will be pushed. */
  constructor(patterns: readonly string[], from = 0) {
    this.#patterns = readPatterns(patterns);
    this.#lineAt = from;
    this.#at = from;
  }

  /** A new search that continues from here finds the rest and nothing twice. */
  get searchedTo(): number {
    return this.#isCounted ? this.#at : this.#lineAt;
  }

  /** Searches all lines that end in this chunk. */
  async push(chunk: Buffer): Promise<Findings> {
    const findings = nothing();
    for (let from = 0; from < chunk.length; from += pieceBytesMax) {
      await this.#pushPiece(chunk.subarray(from, from + pieceBytesMax), findings);
    }
    return findings;
  }

  /** Searches the line that has not ended, as far as it has come: a prompt has no newline. */
  async pushUnfinished(): Promise<Findings> {
    const findings = nothing();
    if (this.#isCounted || this.#searchedBytes === this.#keptBytes) return findings;
    this.#searchedBytes = this.#keptBytes;
    await this.#search(endedLine(this.#kept.subarray(0, this.#keptBytes), true), this.#at, findings);
    this.#isCounted = findings.count > 0;
    return findings;
  }

  async #pushPiece(piece: Buffer, findings: Findings): Promise<void> {
    const pieceAt = this.#at;
    const from = pieceAt > this.#lineAt ? piece.indexOf(newline) + 1 : 0;
    const to = piece.lastIndexOf(newline) + 1;
    this.#at += piece.length;
    if (from > 0) await this.#endLine(piece.subarray(0, from - 1), pieceAt + from, findings);
    await this.#searchLines(piece.subarray(from, to), pieceAt + from, findings);
    if (to > 0) {
      this.#lineAt = pieceAt + to;
      this.#isCounted = false;
      this.#searchedBytes = 0;
      this.#keptBytes = 0;
    }
    this.#keep(piece.subarray(to));
  }

  async #endLine(rest: Buffer, end: number, findings: Findings): Promise<void> {
    this.#keep(rest);
    if (this.#isCounted) return;
    const isCut = end - this.#lineAt > this.#keptBytes + 1;
    await this.#search(endedLine(this.#kept.subarray(0, this.#keptBytes), isCut), end, findings);
  }

  #keep(bytes: Buffer): void {
    const length = Math.min(lineBytesMax, this.#keptBytes + bytes.length);
    bytes.copy(this.#kept, this.#keptBytes, 0, length - this.#keptBytes);
    this.#keptBytes = length;
  }

  /** Each line has its newline. A line that is too long is cut. */
  async #searchLines(lines: Buffer, linesAt: number, findings: Findings): Promise<void> {
    let from = 0;
    for (let at = 0; lines.length - at > lineBytesMax + 1; ) {
      const end = lines.lastIndexOf(newline, at + lineBytesMax);
      if (end >= at) {
        at = end + 1;
        continue;
      }
      await this.#search(lines.subarray(from, at), linesAt + at, findings);
      from = lines.indexOf(newline, at + lineBytesMax) + 1;
      await this.#search(endedLine(lines.subarray(at, at + lineBytesMax), true), linesAt + from, findings);
      at = from;
    }
    await this.#search(lines.subarray(from), linesAt + lines.length, findings);
  }

  /** No line is too long; `end`: where in the output the lines end. */
  async #search(lines: Buffer, end: number, findings: Findings): Promise<void> {
    if (lines.length === 0) return;
    const found = await this.#findEach(lines, findings);
    const newlines = unionOf(found.map((one) => one.newlines));
    const [first] = newlines;
    if (first === undefined) return;
    findings.count += newlines.length;
    if (findings.lines.length < outputLinesMax) {
      const texts = newlines.slice(0, outputLinesMax).map((at) => lineBefore(lines, at));
      findings.lines = addToExcerpt(findings.lines, texts);
    }
    findings.first ??= {
      pattern: found.find((one) => one.newlines[0] === first)?.written ?? '',
      line: lineBefore(lines, first),
      end: end - lines.length + first + 1,
    };
  }

  /** For each pattern, the newlines of the lines that match. */
  async #findEach(lines: Buffer, findings: Findings): Promise<{ written: string; newlines: number[] }[]> {
    const found: { written: string; newlines: number[] }[] = [];
    for (const pattern of this.#patterns) {
      const { newlines, isTooSlow } =
        pattern.kind === 'text'
          ? { newlines: findText(lines, pattern.text), isTooSlow: false }
          : await findRegex(lines, pattern);
      found.push({ written: pattern.written, newlines });
      if (!isTooSlow) continue;
      findings.failures.push(tooSlow(pattern));
      this.#patterns = this.#patterns.filter((kept) => kept !== pattern);
    }
    return found;
  }
}

/** The line with a newline, and without half a character where it was cut. */
function endedLine(line: Buffer, isCut: boolean): Buffer {
  const whole = isCut ? line.subarray(0, line.length - unfinishedBytes(line)) : line;
  return Buffer.concat([whole, Buffer.of(newline)]);
}

function lineBefore(lines: Buffer, end: number): string {
  const from = end === 0 ? 0 : lines.lastIndexOf(newline, end - 1) + 1;
  return lines.toString('utf8', from, end > from && lines[end - 1] === carriageReturn ? end - 1 : end);
}
