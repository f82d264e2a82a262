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
