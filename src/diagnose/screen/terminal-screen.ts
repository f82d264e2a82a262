import { controlSequence } from '../../text/plain-text.js';
import { type Cursor, controlTable, escapeTable, type PaintedScreen } from './control-table.js';
import { ScreenGrid } from './screen-grid.js';
import type { ScreenView } from './screen-view.js';

/** Marks that are drawn over the character before them, and invisible format characters. */
const noWidth = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
const emoji = /^\p{Emoji_Presentation}$/u;

/** Blocks whose characters take two cells: Hangul, CJK, full-width forms. First and last code point of each. */
const wideBlocks: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x20000, 0x3fffd],
];

/** How many cells of a terminal a character takes. */
function characterWidth(character: string): 0 | 1 | 2 {
  const code = character.codePointAt(0) as number;
  if (code < 0x300) return 1;
  if (noWidth.test(character)) return 0;
  const isWide = wideBlocks.some(([first, last]) => code >= first && code <= last);
  return isWide || emoji.test(character) ? 2 : 1;
}

/** Limit of the size: a size from outside must not cost memory. */
const rowsMax = 500;
const columnsMax = 1000;

/** A sequence that is cut at the end of a chunk waits for its rest; a longer sequence is dropped. */
const openCharsMax = 8192;
const openSequence = /^\x1b(?:\[[0-?]*[ -/]*|[\]PX^_][^\x07\x1b\x9c\n]*|[ -/]*)$/;

/** What the letters of the line drawing set stand for. */
const lineDrawing: Readonly<Record<string, string>> = {
  j: '┘',
  k: '┐',
  l: '┌',
  m: '└',
  n: '┼',
  q: '─',
  t: '├',
  u: '┤',
  v: '┴',
  w: '┬',
  x: '│',
};

/**
 * The screen of a terminal of this size after all output: text only, without colours. The output is not trusted: every
 * sequence costs at most one pass over the rows or over one row, whatever its numbers are.
 */
export class TerminalScreen implements PaintedScreen {
  readonly rows: number;
  readonly columns: number;
  readonly #main: ScreenGrid;
  #alternate: ScreenGrid | null = null;
  #decoder = new TextDecoder();
  #open = '';
  /** The last column is written, and the next character begins a new row. */
  #wrapsNext = false;
  cursor: Cursor = { row: 0, column: 0 };
  #saved: Cursor = { row: 0, column: 0 };
  region: { top: number; bottom: number };
  isCursorShown = true;
  wraps = true;
  /** Which of the two character sets of the terminal is in use, and which of them is for line drawing. */
  #charset = 0;
  readonly #drawing = [false, false];
  #last = '';

  constructor({ rows, columns }: { rows: number; columns: number }) {
    this.rows = Math.max(1, Math.min(rowsMax, rows));
    this.columns = Math.max(2, Math.min(columnsMax, columns));
    this.#main = new ScreenGrid(this.rows, this.columns);
    this.region = { top: 0, bottom: this.rows - 1 };
  }

  get grid(): ScreenGrid {
    return this.#alternate ?? this.#main;
  }

  lines(): string[] {
    return this.grid.lines();
  }

  /** The result does not depend on how the bytes were cut into chunks. */
  push(chunk: Uint8Array): void {
    const text = this.#open + this.#decoder.decode(chunk, { stream: true });
    const at = text.lastIndexOf('\x1b');
    const isOpen = at !== -1 && text.length - at <= openCharsMax && openSequence.test(text.slice(at));
    this.#open = isOpen ? text.slice(at) : '';
    for (const { 0: token, groups } of (isOpen ? text.slice(0, at) : text).matchAll(controlSequence)) {
      if (groups?.final !== undefined) controlTable[groups.final]?.(this, groups.parameters ?? '');
      else if (groups?.text !== undefined) this.#write(groups.text);
      else if (token.length > 1) this.#escape(token);
      else this.#control(token);
    }
  }

  moveTo(row: number, column: number): void {
    this.cursor = { row: clamp(row, this.rows), column: clamp(column, this.columns) };
    this.#wrapsNext = false;
  }

  lineFeed(): void {
    const { row, column } = this.cursor;
    if (row === this.region.bottom) this.grid.scrollUp(this.region.top, row, 1);
    else this.moveTo(row + 1, column);
    this.#wrapsNext = false;
  }

  reverseLineFeed(): void {
    const { row, column } = this.cursor;
    if (row === this.region.top) this.grid.scrollDown(row, this.region.bottom, 1);
    else this.moveTo(row - 1, column);
  }

  save(): void {
    this.#saved = this.cursor;
  }

  restore(): void {
    this.moveTo(this.#saved.row, this.#saved.column);
  }

  takeWhole(isTaken: boolean): void {
    this.#alternate = isTaken ? new ScreenGrid(this.rows, this.columns) : null;
  }

  repeat(count: number): void {
    for (let left = Math.min(count, this.columns); left > 0 && this.#last !== ''; left--)
      this.#put(this.#last);
  }

  reset(): void {
    this.#alternate = null;
    this.#main.eraseRows(0, this.rows);
    this.region = { top: 0, bottom: this.rows - 1 };
    this.isCursorShown = true;
    this.wraps = true;
    this.#charset = 0;
    this.#drawing.fill(false);
    this.moveTo(0, 0);
  }

  #escape(token: string): void {
    const set = /^\x1b([()])(.)$/.exec(token);
    if (set !== null) this.#drawing[set[1] === '(' ? 0 : 1] = set[2] === '0';
    else escapeTable[token.slice(1)]?.(this);
  }

  #control(token: string): void {
    const { row, column } = this.cursor;
    if (token === '\n' || token === '\v' || token === '\f') this.lineFeed();
    else if (token === '\r') this.moveTo(row, 0);
    else if (token === '\b') this.moveTo(row, column - 1);
    else if (token === '\x0e') this.#charset = 1;
    else if (token === '\x0f') this.#charset = 0;
  }

  #write(text: string): void {
    for (const character of text) {
      if (character === '\t') this.moveTo(this.cursor.row, (Math.floor(this.cursor.column / 8) + 1) * 8);
      else if (this.#drawing[this.#charset]) this.#put(lineDrawing[character] ?? character);
      else this.#put(character);
    }
  }

  #put(character: string): void {
    const width = characterWidth(character);
    if (width === 0) {
      this.grid.mark(this.cursor.row, this.cursor.column - (this.#wrapsNext ? 0 : 1), character);
      return;
    }
    this.#last = character;
    if (this.wraps && (this.#wrapsNext || this.cursor.column + width > this.columns)) {
      this.moveTo(this.cursor.row, 0);
      this.lineFeed();
    }
    const { row } = this.cursor;
    const column = Math.min(this.cursor.column, this.columns - width);
    this.grid.put(row, column, character, width);
    const isFull = column + width >= this.columns;
    this.cursor = { row, column: isFull ? this.columns - 1 : column + width };
    this.#wrapsNext = isFull && this.wraps;
  }
}

export function viewOf(screen: TerminalScreen): ScreenView {
  const { cursor, grid, isCursorShown } = screen;
  const beforeCursor = grid.textBefore(cursor.row, cursor.column);
  return { lines: screen.lines(), cursorRow: cursor.row, beforeCursor, isCursorShown };
}

function clamp(value: number, size: number): number {
  return Math.max(0, Math.min(size - 1, value));
}
