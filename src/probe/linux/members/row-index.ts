import type { ProcessRow } from '../identity/identify.js';
import type { Marks } from './run-marks.js';

const none: readonly ProcessRow[] = [];

/** Rows of the process table, to be found by what ties them to others. */
export class RowIndex {
  readonly rows: readonly ProcessRow[];
  /** Pids of processes that could not be read. */
  readonly unread: ReadonlySet<number>;
  readonly #byPid = new Map<number, ProcessRow>();
  readonly #byTie = new Map<number, ProcessRow[]>();

  constructor(rows: readonly ProcessRow[], unread: ReadonlySet<number> = new Set()) {
    this.rows = rows;
    this.unread = unread;
    for (const row of rows) this.#add(row);
  }

  row(pid: number): ProcessRow | undefined {
    return this.#byPid.get(pid);
  }

  /** Processes with this number as their parent, group or session. */
  tied(number: number): readonly ProcessRow[] {
    return this.#byTie.get(number) ?? none;
  }

  /** The rows whose environment has to be asked about a run that began then. */
  toAsk(_runId: string | null, _sinceTicks: number): Iterable<ProcessRow> {
    return this.rows;
  }

  #add(row: ProcessRow): void {
    const { pid, parent, group, session } = row;
    this.#byPid.set(pid, row);
    for (const number of new Set([parent, group, session])) {
      const tied = this.#byTie.get(number);
      if (tied === undefined) this.#byTie.set(number, [row]);
      else tied.push(row);
    }
  }
}

/** Every process, for the scans of many runs: each environment is read once, and a scan sees only those that concern it. */
export class WholeIndex extends RowIndex {
  readonly #marks: (row: ProcessRow) => Marks;
  /** The newest first. */
  readonly #byAge: readonly ProcessRow[];
  readonly #named = new Map<string, ProcessRow[]>();
  /** Rows whose environment is not known now. */
  readonly #unnamed: ProcessRow[] = [];
  /** Pids of processes about which nothing is left to ask. */
  readonly settled: Set<number>;
  #asked = 0;

  constructor(rows: readonly ProcessRow[], unread: ReadonlySet<number>, marks: (row: ProcessRow) => Marks) {
    super(rows, unread);
    this.#marks = marks;
    this.settled = new Set(this.rows.map(({ pid }) => pid));
    this.#byAge = this.rows.toSorted((a, b) => b.startTicks - a.startTicks);
  }

  override *toAsk(runId: string | null, sinceTicks: number): Iterable<ProcessRow> {
    if (runId === null) return;
    this.#ask(sinceTicks);
    yield* this.#unnamed;
    yield* this.#named.get(runId) ?? none;
  }

  #ask(sinceTicks: number): void {
    for (; this.#asked < this.#byAge.length; this.#asked += 1) {
      const row = this.#byAge[this.#asked] as ProcessRow;
      if (row.startTicks < sinceTicks) return;
      if (row.kernelThread) continue;
      const marks = this.#marks(row);
      if (typeof marks !== 'string') for (const name of new Set(marks.all)) this.#name(name, row);
      else if (this.settled.delete(row.pid)) this.#unnamed.push(row);
    }
  }

  #name(runId: string, row: ProcessRow): void {
    const named = this.#named.get(runId);
    if (named === undefined) this.#named.set(runId, [row]);
    else named.push(row);
  }
}
