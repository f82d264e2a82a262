import { isAscii } from 'node:buffer';
import { lineNumbersOf, newlinesOf } from '../../diagnose/notices/line-ends.js';

const newline = 0x0a;

/** V8 makes a longer text outside of its young heap, which takes several times as long as to search it. */
const blockBytesMax = 96 * 1024;

/** Where a block of whole lines ends that begins here. None of the lines may be longer than a block. */
export function blockEnd(lines: Buffer, from: number): number {
  if (lines.length - from <= blockBytesMax) return lines.length;
  return lines.lastIndexOf(newline, from + blockBytesMax - 1) + 1;
}

/** Lines as text, a block at a time; the ends of those that were found, in bytes. */
export class LineBlocks {
  readonly #lines: Buffer;
  readonly #isAscii: boolean;
  readonly #newlines: number[] = [];
  #from = 0;
  #to = 0;
  #text = '';

  /** Where in the text of this block lines end that were found, ascending. */
  ends: number[] = [];

  constructor(lines: Buffer) {
    this.#lines = lines;
    this.#isAscii = isAscii(lines);
  }

  /** null: there is no more. */
  next(): string | null {
    this.#settle();
    if (this.#to === this.#lines.length) return null;
    this.#from = this.#to;
    this.#to = blockEnd(this.#lines, this.#from);
    this.#text = this.#lines.toString(this.#isAscii ? 'latin1' : 'utf8', this.#from, this.#to);
    return this.#text;
  }

  /** Of all that were found so far. */
  newlines(): number[] {
    this.#settle();
    return this.#newlines;
  }

  #settle(): void {
    if (this.ends.length === 0) return;
    const places = this.#isAscii
      ? this.ends
      : newlinesOf(this.#lines.subarray(this.#from, this.#to), lineNumbersOf(this.#text, this.ends));
    for (const place of places) this.#newlines.push(this.#from + place);
    this.ends = [];
  }
}
