import type { Absent } from '../../model/absence.js';
import { countForks } from './pid-turnover.js';
import { listNumbers } from './proc-file.js';
import { type ProcessRow, readRow } from './process-row.js';
import { type Marks, readMarks } from './run-marks.js';

/** The process table of one moment: each process is read once, however many want to know. */
export class TableReading {
  readonly pids = listNumbers('/proc');
  readonly #rows = new Map<number, ProcessRow | Absent>();
  readonly #marks = new Map<ProcessRow, Marks>();
  #forks: number | null = null;

  /** To be asked before any row is: what starts meanwhile counts as later. */
  get forks(): number {
    this.#forks ??= countForks();
    return this.#forks;
  }

  row(pid: number): ProcessRow | Absent {
    const known = this.#rows.get(pid);
    if (known !== undefined) return known;
    const row = readRow(pid);
    this.#rows.set(pid, row);
    return row;
  }

  marks(row: ProcessRow): Marks {
    const known = this.#marks.get(row);
    if (known !== undefined) return known;
    const marks = readMarks(row);
    this.#marks.set(row, marks);
    return marks;
  }
}

let next: Promise<TableReading> | null = null;

/**
 * What is read after this call, once for all who ask before it is: a hundred trees that are stopped at once take not a
 * hundred times as long.
 */
export function nextReading(): Promise<TableReading> {
  next ??= new Promise((resolve) => {
    setImmediate(() => {
      next = null;
      resolve(new TableReading());
    });
  });
  return next;
}
