import { type Painted, paint } from './paint.js';

/** Only the end of a line is kept: it holds the prompt, the bar or the row of dots. */
const lineBytesMax = 4096;
const lineCharsMax = 500;

export const newline = 0x0a;
const carriageReturn = 0x0d;

const decoder = new TextDecoder();

/** Start and end (without the newline) of each line that ends before `to`. */
export function boundsOfLines(bytes: Uint8Array, from: number, to: number): [start: number, end: number][] {
  const bounds: [number, number][] = [];
  for (let start = from; start < to; ) {
    const end = bytes.indexOf(newline, start);
    bounds.push([start, end]);
    start = end + 1;
  }
  return bounds;
}

/** The bytes show nothing on a terminal. */
export function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte !== 0x20 && byte !== 0x09 && byte !== carriageReturn) return false;
  }
  return true;
}

/** The visible rows of a line. */
export function clippedRows(line: Uint8Array, cut: number): string[] {
  // A carriage return before the newline only ends the line, as on some systems.
  const text = line.at(-1) === carriageReturn ? line.subarray(0, -1) : line;
  return paintLine(text, cut).rows.filter((row) => row.trim() !== '');
}

/** `cut`: bytes at the beginning of this line that are gone. */
export function paintLine(line: Uint8Array, cut: number): Painted {
  const painted = paint(decoder.decode(line.subarray(-lineBytesMax)));
  const gone = painted.repainted ? 0 : cut + Math.max(0, line.length - lineBytesMax);
  return {
    ...painted,
    rows: painted.rows.map((row) => clip(row, gone)),
    wiped: clip(painted.wiped, 0),
  };
}

/** The number gives a growing row of dots a different text each time. */
function clip(row: string, gone: number): string {
  if (gone > 0) return `…(+${gone} bytes) ${whole(row.slice(30 - lineCharsMax))}`;
  if (row.length <= lineCharsMax) return row;
  const [head, tail] = [300, 170];
  return `${whole(row.slice(0, head))} …(+${row.length - head - tail})… ${whole(row.slice(-tail))}`;
}

/** Removes the half characters that a cut left at either end. */
function whole(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
}
