import type { ScreenGrid } from './screen-grid.js';

export interface Cursor {
  row: number;
  column: number;
}

/** What a control sequence may change. */
export interface PaintedScreen {
  readonly rows: number;
  readonly columns: number;
  readonly grid: ScreenGrid;
  readonly cursor: Cursor;
  /** First and last row of the scrolling region. */
  region: { top: number; bottom: number };
  isCursorShown: boolean;
  /** A full row goes on in the next row. */
  wraps: boolean;
  /** Clamped to the screen. */
  moveTo(row: number, column: number): void;
  /** Moves a row down; at the end of the scrolling region everything moves up. */
  lineFeed(): void;
  reverseLineFeed(): void;
  save(): void;
  restore(): void;
  /** Switches to the alternate screen, or back. */
  takeWhole(isTaken: boolean): void;
  /** Prints the last character again. */
  repeat(count: number): void;
  reset(): void;
}

/** Further numbers of a sequence are ignored. */
const parametersMax = 16;
/** Larger than any screen: greater counts make no difference. */
const countMax = 10_000;

type Control = (screen: PaintedScreen, parameters: string) => void;

function numbersOf(parameters: string): number[] {
  const parts = parameters.split(';', parametersMax);
  return parts.map((part) => Math.min(countMax, Number.parseInt(part, 10) || 0));
}

/** A missing count is 1. */
const counted =
  (act: (screen: PaintedScreen, count: number) => void): Control =>
  (screen, parameters) =>
    act(screen, Math.max(1, numbersOf(parameters)[0] ?? 1));

const moved = (rows: number, columns: number): Control =>
  counted((screen, count) => {
    // A margin of the scrolling region is not crossed.
    const { top, bottom } = screen.region;
    const { row, column } = screen.cursor;
    const first = row >= top ? top : 0;
    const last = row <= bottom ? bottom : screen.rows - 1;
    screen.moveTo(Math.max(first, Math.min(last, row + rows * count)), column + columns * count);
  });

const down = moved(1, 0);
const up = moved(-1, 0);
const toColumn = counted((screen, count) => screen.moveTo(screen.cursor.row, count - 1));

const place: Control = (screen, parameters) => {
  const [row = 1, column = 1] = numbersOf(parameters);
  screen.moveTo(Math.max(1, row) - 1, Math.max(1, column) - 1);
};

const eraseScreen: Control = (screen, parameters) => {
  const [part = 0] = numbersOf(parameters);
  const { row, column } = screen.cursor;
  if (part === 0) {
    screen.grid.erase(row, column, screen.columns);
    screen.grid.eraseRows(row + 1, screen.rows);
  } else if (part === 1) {
    screen.grid.eraseRows(0, row);
    screen.grid.erase(row, 0, column + 1);
  } else if (part === 2) screen.grid.eraseRows(0, screen.rows);
};

const eraseLine: Control = (screen, parameters) => {
  const [part = 0] = numbersOf(parameters);
  const { row, column } = screen.cursor;
  if (part > 2) return;
  screen.grid.erase(row, part === 0 ? column : 0, part === 1 ? column + 1 : screen.columns);
};

/** Lines are inserted and deleted only inside the scrolling region. */
const lines = (act: 'scrollUp' | 'scrollDown'): Control =>
  counted((screen, count) => {
    const { row } = screen.cursor;
    const { top, bottom } = screen.region;
    if (row < top || row > bottom) return;
    screen.grid[act](row, bottom, count);
    screen.moveTo(row, 0);
  });

const scrolled = (act: 'scrollUp' | 'scrollDown'): Control =>
  counted((screen, count) => screen.grid[act](screen.region.top, screen.region.bottom, count));

const setRegion: Control = (screen, parameters) => {
  const [top = 1, bottom = 0] = numbersOf(parameters);
  const last = bottom === 0 ? screen.rows : Math.min(bottom, screen.rows);
  const first = Math.max(1, top);
  if (first >= last) return;
  screen.region = { top: first - 1, bottom: last - 1 };
  screen.moveTo(0, 0);
};

/** Private modes by number; other modes change nothing visible. */
const modes: Readonly<Record<number, (screen: PaintedScreen, isSet: boolean) => void>> = {
  7: (screen, isSet) => {
    screen.wraps = isSet;
  },
  25: (screen, isSet) => {
    screen.isCursorShown = isSet;
  },
  47: (screen, isSet) => screen.takeWhole(isSet),
  1047: (screen, isSet) => screen.takeWhole(isSet),
  1049: (screen, isSet) => {
    if (isSet) screen.save();
    screen.takeWhole(isSet);
    if (!isSet) screen.restore();
  },
};

const setMode =
  (isSet: boolean): Control =>
  (screen, parameters) => {
    if (!parameters.startsWith('?')) return;
    for (const mode of numbersOf(parameters.slice(1))) modes[mode]?.(screen, isSet);
  };

const plainOnly =
  (act: Control): Control =>
  (screen, parameters) => {
    if (!/^[<=>?]/.test(parameters)) act(screen, parameters);
  };

/** By the last letter of ESC [; any other sequence changes nothing visible. */
export const controlTable: Readonly<Record<string, Control>> = {
  '@': counted((screen, count) =>
    screen.grid.insertCells(screen.cursor.row, screen.cursor.column, Math.min(count, screen.columns)),
  ),
  A: up,
  B: down,
  C: moved(0, 1),
  D: moved(0, -1),
  E: (screen, parameters) => {
    down(screen, parameters);
    screen.moveTo(screen.cursor.row, 0);
  },
  F: (screen, parameters) => {
    up(screen, parameters);
    screen.moveTo(screen.cursor.row, 0);
  },
  G: toColumn,
  '`': toColumn,
  H: place,
  f: place,
  I: counted((screen, count) =>
    screen.moveTo(screen.cursor.row, (Math.floor(screen.cursor.column / 8) + count) * 8),
  ),
  Z: counted((screen, count) =>
    screen.moveTo(screen.cursor.row, (Math.ceil(screen.cursor.column / 8) - count) * 8),
  ),
  J: eraseScreen,
  K: eraseLine,
  L: lines('scrollDown'),
  M: lines('scrollUp'),
  P: counted((screen, count) => screen.grid.deleteCells(screen.cursor.row, screen.cursor.column, count)),
  S: plainOnly(scrolled('scrollUp')),
  T: plainOnly(scrolled('scrollDown')),
  X: counted((screen, count) => {
    const { row, column } = screen.cursor;
    screen.grid.erase(row, column, Math.min(screen.columns, column + count));
  }),
  a: moved(0, 1),
  b: counted((screen, count) => screen.repeat(count)),
  d: counted((screen, count) => screen.moveTo(count - 1, screen.cursor.column)),
  e: down,
  h: setMode(true),
  l: setMode(false),
  r: plainOnly(setRegion),
  s: plainOnly((screen) => screen.save()),
  u: plainOnly((screen) => screen.restore()),
};

/** By the character after ESC. */
export const escapeTable: Readonly<Record<string, (screen: PaintedScreen) => void>> = {
  '7': (screen) => screen.save(),
  '8': (screen) => screen.restore(),
  D: (screen) => screen.lineFeed(),
  E: (screen) => {
    screen.moveTo(screen.cursor.row, 0);
    screen.lineFeed();
  },
  M: (screen) => screen.reverseLineFeed(),
  c: (screen) => screen.reset(),
};
