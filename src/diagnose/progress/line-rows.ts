import { printable } from '../../text/printable.js';

/** As many as a line can have: a hostile column number must not cost memory. */
const columnMax = 4096;

const tokens =
  /\x1b\[(?<parameters>[0-?]*)[ -/]*(?<final>[@-~])|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-~]?|[\r\b\t]|[^\x1b\r\b\t]+/g;

interface Paper {
  cells: string[];
  column: number;
  /** The text that was last erased as a whole. */
  wiped: string;
  /** The cursor was moved: earlier text may no longer be there. */
  moved: boolean;
  /** Rows left behind by moving up or down. */
  rows: string[];
}

interface Painted {
  /** The readable text, with an entry for each row that was written to. */
  rows: string[];
  /** The text before the last row was erased; empty: it was not erased. */
  wiped: string;
  repainted: boolean;
}

/** What a terminal shows of one line of output: repaints collapsed, control sequences obeyed or dropped. */
function paint(text: string): Painted {
  if (!/[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/.test(text)) {
    return { rows: [text.trimEnd()], wiped: '', repainted: false };
  }
  const paper: Paper = { cells: [], column: 0, wiped: '', moved: false, rows: [] };
  for (const { 0: token, groups } of text.matchAll(tokens)) {
    if (groups?.final !== undefined) obey(paper, groups.final, groups.parameters ?? '');
    else if (token === '\r') moveTo(paper, 0);
    else if (token === '\b') moveTo(paper, paper.column - 1);
    else if (token === '\t') write(paper, ' ');
    else if (!token.startsWith('\x1b')) write(paper, token);
  }
  const repainted = paper.moved;
  leaveRow(paper);
  return { rows: paper.rows, wiped: printable(paper.wiped).trimEnd(), repainted };
}

/** By the last letter of the sequence; any other sequence leaves the text as it is. */
const controls: Record<string, (paper: Paper, count: number, parameter: number) => void> = {
  G: (paper, count) => moveTo(paper, count - 1),
  C: (paper, count) => moveTo(paper, paper.column + count),
  D: (paper, count) => moveTo(paper, paper.column - count),
  K: (paper, _count, part) => wipe(paper, part),
  J: (paper, _count, part) => wipe(paper, part),
  A: leaveRow,
  B: leaveRow,
  E: leaveRow,
  F: leaveRow,
  H: leaveRow,
  f: leaveRow,
};

function obey(paper: Paper, final: string, parameters: string): void {
  const parameter = Number.parseInt(parameters, 10) || 0;
  controls[final]?.(paper, Math.max(1, parameter), parameter);
}

function wipe(paper: Paper, part: number): void {
  const whole = part >= 2 || (part === 0 && paper.column === 0);
  if (whole) {
    const text = paper.cells.join('');
    if (text.trim() !== '') paper.wiped = text;
    paper.cells = [];
  } else if (part === 0) paper.cells.length = Math.min(paper.cells.length, paper.column);
  else paper.cells.fill(' ', 0, paper.column + 1);
}

function moveTo(paper: Paper, column: number): void {
  paper.column = Math.min(columnMax, Math.max(0, column));
  paper.moved = true;
}

function write(paper: Paper, text: string): void {
  while (paper.cells.length < paper.column) paper.cells.push(' ');
  for (const character of text) paper.cells[paper.column++] = character;
}

function leaveRow(paper: Paper): void {
  paper.rows.push(printable(paper.cells.join('')).trimEnd());
  paper.cells = [];
  paper.column = 0;
  paper.moved = true;
}

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

/** Bytes at the beginning of a line that are gone. */
export interface Cut {
  bytes: number;
  /** There may be more of them: where the line began was never read. */
  isLeast: boolean;
}

export const uncut: Cut = { bytes: 0, isLeast: false };

/** The visible rows of a line. */
export function clippedRows(line: Uint8Array, cut: Cut): string[] {
  // A carriage return before the newline only ends the line, as on some systems.
  const text = line.at(-1) === carriageReturn ? line.subarray(0, -1) : line;
  return paintLine(text, cut).rows.filter((row) => row.trim() !== '');
}

export function paintLine(line: Uint8Array, cut: Cut): Painted {
  const painted = paint(decoder.decode(line.subarray(-lineBytesMax)));
  const bytes = painted.repainted ? 0 : cut.bytes + Math.max(0, line.length - lineBytesMax);
  return {
    ...painted,
    rows: painted.rows.map((row) => clip(row, { ...cut, bytes })),
    wiped: clip(painted.wiped, uncut),
  };
}

/** The number gives a growing row of dots a different text each time. */
function clip(row: string, { bytes, isLeast }: Cut): string {
  if (bytes > 0)
    return `…(+${bytes} bytes${isLeast ? ' or more' : ''}) ${whole(row.slice(30 - lineCharsMax))}`;
  if (row.length <= lineCharsMax) return row;
  const [head, tail] = [300, 170];
  return `${whole(row.slice(0, head))} …(+${row.length - head - tail})… ${whole(row.slice(-tail))}`;
}

/** Removes the half characters that a cut left at either end. */
function whole(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
}
