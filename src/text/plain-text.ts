/**
 * Splits any text into line ends, cursor moves, `text`, and control sequences. `final` and `parameters` belong to a
 * sequence that begins with ESC [. An incomplete sequence, or a string (title, link, picture) without an end, ends with
 * its line at the latest, so that noise cannot swallow output. No two branches begin alike after ESC and its next
 * character, so the time is linear.
 */
export const controlSequence =
  /\x1b\[(?<parameters>[0-?]*)[ -/]*(?<final>[@-~])?|\x1b[\]PX^_][^\x07\x1b\x9c\n]*(?:\x07|\x9c|\x1b\\)?|\x1b[ -/]*[0-~]?|(?<text>[^\x00-\x08\x0a-\x1f\x7f-\x9f]+)|[\s\S]/g;

/** No terminal is wider: a hostile column number must not use memory. */
const columnMax = 1000;

/** Limit of cells skipped by the cursor, per character of the text. */
const skippedPerCharacter = 8;

/** Control characters other than line ends and tabs. */
const isPainted = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;

/** A cell that was never written. */
const skipped = '';

interface Row {
  /** Used while only text is appended. */
  text: string;
  /** One character per cell, used once the cursor has moved; then `text` is unused. */
  cells: string[] | null;
  /** Number of cells at the beginning known to be skipped. */
  blank: number;
}

/** The screen that a text has drawn so far. */
interface Page {
  rows: Row[];
  row: number;
  /** null: behind the last character of the row. */
  column: number | null;
  /** The cursor cannot move above this row any more. */
  top: number;
  /** Cells that may still be skipped. */
  skips: number;
}

/**
 * The visible text of an output at its end: control sequences are removed, overwritten text is gone. Only line ends and
 * tabs remain of the control characters. Lines that were not overwritten stay unchanged. A screen that is cleared or
 * addressed as a whole starts anew below: this is a log, not a screen.
 */
export function plainText(text: string): string {
  if (!isPainted.test(text)) return text;
  // The most common cases: without them, most texts need no drawing.
  const bare = text.replace(/\x1b\[[\d;:]*m|\r(?=\n)/g, '');
  if (!isPainted.test(bare)) return bare;
  const page: Page = {
    rows: [newRow()],
    row: 0,
    column: null,
    top: 0,
    skips: columnMax + text.length * skippedPerCharacter,
  };
  for (const { 0: token, groups } of bare.matchAll(controlSequence)) {
    if (groups?.final !== undefined) obey(page, groups.final, groups.parameters ?? '');
    else if (token === '\n') nextRow(page);
    else if (token === '\r') page.column = 0;
    else if (token === '\b') moveTo(page, columnOf(page) - 1);
    else if (token === '\x1bM') page.row = Math.max(page.top, page.row - 1);
    else if (groups?.text !== undefined) write(page, groups.text);
  }
  return render(page, text.length);
}

/** By the final letter; other sequences are ignored. */
const controls: Record<string, (page: Page, count: number, parameter: number) => void> = {
  A: (page, count) => moveUp(page, count),
  B: (page, count) => moveDown(page, count),
  C: (page, count) => moveTo(page, columnOf(page) + count),
  D: (page, count) => moveTo(page, columnOf(page) - count),
  E: (page, count) => {
    moveDown(page, count);
    page.column = 0;
  },
  F: (page, count) => {
    moveUp(page, count);
    page.column = 0;
  },
  G: (page, count) => moveTo(page, count - 1),
  H: newScreen,
  f: newScreen,
  J: (page, _count, part) => {
    if (part >= 2) return newScreen(page);
    if (part === 1) return;
    eraseInRow(page, 0);
    page.rows.length = page.row + 1;
  },
  K: (page, _count, part) => eraseInRow(page, part),
};

function obey(page: Page, final: string, parameters: string): void {
  const parameter = Number.parseInt(parameters, 10) || 0;
  controls[final]?.(page, Math.max(1, parameter), parameter);
}

function newRow(): Row {
  return { text: '', cells: null, blank: 0 };
}

function rowOf(page: Page): Row {
  return page.rows[page.row] as Row;
}

function cellsOf(row: Row): string[] {
  row.cells ??= Array.from(row.text);
  return row.cells;
}

function columnOf(page: Page): number {
  page.column ??= cellsOf(rowOf(page)).length;
  return page.column;
}

function nextRow(page: Page): void {
  page.row++;
  page.column = 0;
  if (page.row < page.rows.length) return;
  page.rows.push(newRow());
  page.column = null;
}

/** Text may be longer than this, but the cursor does not move further. */
function moveTo(page: Page, column: number): void {
  page.column = Math.max(0, Math.min(column, Math.max(columnMax, page.column ?? 0)));
}

function moveUp(page: Page, count: number): void {
  columnOf(page);
  page.row = Math.max(page.top, page.row - count);
}

/** A terminal does not scroll for cursor moves. */
function moveDown(page: Page, count: number): void {
  columnOf(page);
  page.row = Math.min(page.rows.length - 1, page.row + count);
}

function newScreen(page: Page): void {
  page.row = page.rows.length - 1;
  const last = rowOf(page);
  if ((last.cells ?? last.text).length > 0) nextRow(page);
  page.column = 0;
  page.top = page.row;
}

function eraseInRow(page: Page, part: number): void {
  // Nothing to erase after the last character.
  if (part === 0 && page.column === null) return;
  const column = columnOf(page);
  const row = rowOf(page);
  const cells = cellsOf(row);
  if (part === 1) {
    const end = Math.min(cells.length, column + 1);
    if (end > row.blank) cells.fill(skipped, row.blank, end);
    row.blank = Math.max(row.blank, end);
  } else {
    cells.length = part >= 2 ? 0 : Math.min(cells.length, column);
    row.blank = Math.min(row.blank, cells.length);
  }
}

function write(page: Page, text: string): void {
  const row = rowOf(page);
  if (page.column === null && row.cells === null) {
    row.text += text;
    return;
  }
  const cells = cellsOf(row);
  let column = columnOf(page);
  row.blank = Math.min(row.blank, column);
  while (cells.length < column && page.skips > 0) {
    cells.push(skipped);
    page.skips--;
  }
  column = Math.min(column, cells.length);
  for (const character of text) cells[column++] = character;
  page.column = column;
}

/** Never longer than the input: each run of skipped cells took more than one character to make. */
function render({ rows, row }: Page, charactersMax: number): string {
  const seen = rows.map(({ text, cells }) => cells ?? text);
  for (let last = seen.length - 1; last > row && isBlank(seen[last] ?? ''); last--) seen.pop();
  const whole = seen.map((line) => (typeof line === 'string' ? line : spaced(line))).join('\n');
  if (whole.length <= charactersMax) return whole;
  return seen.map((line) => (typeof line === 'string' ? line : squeezed(line))).join('\n');
}

function isBlank(line: string | string[]): boolean {
  return typeof line === 'string' ? line === '' : line.every((cell) => cell === skipped || cell === ' ');
}

function spaced(cells: string[]): string {
  return cells
    .map((cell) => cell || ' ')
    .join('')
    .trimEnd();
}

function squeezed(cells: string[]): string {
  return cells
    .map((cell, at) => cell || (cells[at - 1] === skipped ? '' : ' '))
    .join('')
    .trimEnd();
}
