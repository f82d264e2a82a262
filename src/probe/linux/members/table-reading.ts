import { type Absent, isAbsent } from '../../../model/facts/absence.js';
import { type ProcessRow, readRow } from '../identity/identify.js';
import { countForks } from '../machine/pid-turnover.js';
import { listNumbers } from '../proc/proc-file.js';
import { type Listeners, listeners } from '../sockets/listening-ports.js';
import { ourselvesAndAbove } from './ancestors.js';
import { type Marks, readMarks } from './run-marks.js';

/** The process table of one moment: each process is read once, however many callers need it. */
export class TableReading {
  readonly #readMs = performance.now();
  readonly pids = listNumbers('/proc');
  readonly #rows = new Map<number, ProcessRow | Absent>();
  readonly #marks = new Map<ProcessRow, Marks>();
  #forks: number | null = null;
  #there: ReadonlySet<number> | null = null;
  #ourselves: ReadonlySet<number> | null = null;
  #listeners: Listeners | null = null;

  get ageMs(): number {
    return performance.now() - this.#readMs;
  }

  /** The same as `pids`, for lookup. */
  get there(): ReadonlySet<number> {
    this.#there ??= new Set(isAbsent(this.pids) ? [] : this.pids);
    return this.#there;
  }

  /** This process and its ancestors. */
  get ourselves(): ReadonlySet<number> {
    this.#ourselves ??= ourselvesAndAbove();
    return this.#ourselves;
  }

  /** The kernel takes as long for this as for a hundred processes. */
  get listeners(): Listeners {
    this.#listeners ??= listeners();
    return this.#listeners;
  }

  /** Must be read before any row: a process that starts meanwhile counts as later. */
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
