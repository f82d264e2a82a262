/** A character each; '' is the second half of a wide character. Cells behind the end of a row are blank. */
type Row = string[];

const blank = ' ';
/** Limit of combining marks over one character: more are dropped. */
const cellCharsMax = 16;

/** The cells of a terminal. Every operation costs at most about one row of cells, or one step per row. */
export class ScreenGrid {
  readonly rows: number;
  readonly columns: number;
  #cells: Row[];

  constructor(rows: number, columns: number) {
    this.rows = rows;
    this.columns = columns;
    this.#cells = Array.from({ length: rows }, () => []);
  }

  /** `width`: 1 or 2; the caller makes sure that it fits. */
  put(row: number, column: number, character: string, width: number): void {
    const cells = this.#padded(row, column);
    this.#splitWide(cells, column);
    this.#splitWide(cells, column + width);
    cells[column] = character;
    if (width === 2) cells[column + 1] = '';
  }

  /** Adds a combining mark to the character at this place. */
  mark(row: number, column: number, character: string): void {
    const cells = this.#cells[row] as Row;
    const at = cells[column] === '' ? column - 1 : column;
    const cell = cells[at];
    if (cell !== undefined && cell.length + character.length <= cellCharsMax) cells[at] = cell + character;
  }

  /** Makes cells from `from` up to `to` blank. */
  erase(row: number, from: number, to: number): void {
    const cells = this.#cells[row] as Row;
    this.#splitWide(cells, from);
    this.#splitWide(cells, to);
    if (to >= cells.length) cells.length = Math.min(cells.length, from);
    else cells.fill(blank, from, to);
  }

  eraseRows(from: number, to: number): void {
    for (let row = from; row < to; row++) this.#cells[row] = [];
  }

  insertCells(row: number, column: number, count: number): void {
    const cells = this.#cells[row] as Row;
    if (column >= cells.length) return;
    this.#splitWide(cells, column);
    cells.splice(column, 0, ...new Array<string>(count).fill(blank));
    this.#splitWide(cells, this.columns);
    cells.length = Math.min(cells.length, this.columns);
  }

  deleteCells(row: number, column: number, count: number): void {
    const cells = this.#cells[row] as Row;
    this.#splitWide(cells, column);
    this.#splitWide(cells, column + count);
    cells.splice(column, count);
  }

  /** Rows from `top` to `bottom` move up; blank rows come in below. */
  scrollUp(top: number, bottom: number, count: number): void {
    const moved = Math.min(count, bottom - top + 1);
    this.#cells.splice(top, moved);
    this.#cells.splice(bottom - moved + 1, 0, ...blankRows(moved));
  }

  scrollDown(top: number, bottom: number, count: number): void {
    const moved = Math.min(count, bottom - top + 1);
    this.#cells.splice(bottom - moved + 1, moved);
    this.#cells.splice(top, 0, ...blankRows(moved));
  }

  /** The visible rows, without blanks at their ends. */
  lines(): string[] {
    return this.#cells.map((cells) => cells.join('').trimEnd());
  }

  /** The text to the left of a cell. */
  textBefore(row: number, column: number): string {
    return (this.#cells[row] ?? []).slice(0, column).join('');
  }

  #padded(row: number, column: number): Row {
    const cells = this.#cells[row] as Row;
    while (cells.length < column) cells.push(blank);
    return cells;
  }

  /** Half of a wide character is not shown. */
  #splitWide(cells: Row, column: number): void {
    if (cells[column] !== '') return;
    cells[column] = blank;
    cells[column - 1] = blank;
  }
}

function blankRows(count: number): Row[] {
  return Array.from({ length: count }, () => []);
}
