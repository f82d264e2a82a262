import { type Absent, hasFailed, isAbsent } from '../../../model/facts/absence.js';
import { type ProcessRow, readRow } from '../identity/identify.js';
import { countForks } from '../machine/pid-turnover.js';
import { listNumbers } from '../proc/proc-file.js';
import { type Listeners, listeners } from '../sockets/listening-ports.js';
import { ourselvesAndAbove } from './ancestors.js';
import { RowIndex, WholeIndex } from './row-index.js';
import { type Marks, readMarks } from './run-marks.js';

/** How a table differs from an earlier one. */
interface Difference {
  /** Pids that are new. */
  readonly news: readonly number[];
  /** Pids that were there before, and still are. */
  readonly still: ReadonlySet<number>;
}

/** The process table of one moment: each process is read once, however many callers need it. */
export class TableReading {
  readonly pids = listNumbers('/proc');
  readonly #rows = new Map<number, ProcessRow | Absent>();
  readonly #marks = new Map<ProcessRow, Marks>();
  #forks: number | null = null;
  #there: ReadonlySet<number> | null = null;
  #ourselves: ReadonlySet<number> | null = null;
  #listeners: Listeners | null = null;
  #whole: WholeIndex | null = null;
  readonly #differences = new Map<ReadonlySet<number>, Difference>();

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

  /** Every process. The scans of many runs share it. */
  get whole(): WholeIndex {
    if (this.#whole === null) {
      const { rows, unread } = this.#read(isAbsent(this.pids) ? [] : this.pids);
      this.#whole = new WholeIndex(rows, unread, (row) => this.marks(row));
    }
    return this.#whole;
  }

  indexOf(pids: readonly number[]): RowIndex {
    const { rows, unread } = this.#read(pids);
    return new RowIndex(rows, unread);
  }

  /** Scans that have seen the same processes before share the answer. */
  since(earlier: ReadonlySet<number>): Difference {
    const known = this.#differences.get(earlier);
    if (known !== undefined) return known;
    const pids = isAbsent(this.pids) ? [] : this.pids;
    const news = pids.filter((pid) => !earlier.has(pid));
    const isSame = pids.length - news.length === earlier.size;
    const still = isSame ? earlier : new Set(pids.filter((pid) => earlier.has(pid)));
    const difference = { news, still };
    this.#differences.set(earlier, difference);
    return difference;
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

  #read(pids: readonly number[]): { rows: ProcessRow[]; unread: Set<number> } {
    const rows: ProcessRow[] = [];
    const unread = new Set<number>();
    for (const pid of pids) {
      const row = this.row(pid);
      if (!isAbsent(row)) rows.push(row);
      else if (hasFailed(row)) unread.add(pid);
    }
    return { rows, unread };
  }
}
