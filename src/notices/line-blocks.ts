import { isAscii } from 'node:buffer';
import { lineNumbersOf, newlinesOf } from '../diagnose/notices/line-ends.js';

const newline = 0x0a;

/** V8 allocates a longer text outside its young heap, which takes several times as long as searching it. */
const blockBytesMax = 96 * 1024;

/** Where a block of whole lines that begins at `from` ends. No line may be longer than a block. */
export function blockEnd(lines: Buffer, from: number): number {
  if (lines.length - from <= blockBytesMax) return lines.length;
  return lines.lastIndexOf(newline, from + blockBytesMax - 1) + 1;
}

export interface LineBlock {
  from: number;
  to: number;
  text: string;
  /** A character for each byte. */
  isAscii: boolean;
  /** Where the matching lines end in the text, ascending. */
  ends: number[];
}

export function blockFrom(lines: Buffer, from: number): LineBlock {
  const to = blockEnd(lines, from);
  const bytes = lines.subarray(from, to);
  const ascii = isAscii(bytes);
  return { from, to, text: bytes.toString(ascii ? 'latin1' : 'utf8'), isAscii: ascii, ends: [] };
}

/** The same positions in bytes. */
export function newlinesFound(lines: Buffer, { from, to, text, isAscii: ascii, ends }: LineBlock): number[] {
  if (ends.length === 0) return ends;
  const places = ascii ? ends : newlinesOf(lines.subarray(from, to), lineNumbersOf(text, ends));
  return places.map((place) => from + place);
}
