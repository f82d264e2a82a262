import type pc from 'picocolors';
import type { ListedRun } from '../../../model/operations/outputs.js';

export interface TopView {
  columns: number;
  rows: number;
  color: boolean;
  nowMs: number;
  /** null: not known yet. */
  all: readonly ListedRun[] | null;
  /** Those that fit the search, in order. */
  runs: readonly ListedRun[];
  /** Why what is shown may be old; '': it is not. */
  trouble: string;
}

export type Colors = ReturnType<typeof pc.createColors>;

/** Rows of the table, its heading, details, and the lines above and below. */
export const detailRows = (rows: number) => (rows >= 20 ? 7 : rows >= 14 ? 4 : 0);
/** Rows for runs in a terminal of this height; fewer runs leave more for details. */
export const tableRows = (rows: number) => Math.max(1, rows - 3 - detailRows(rows));
/** Rows for a text. */
export const textRows = (rows: number) => Math.max(1, rows - 2);
