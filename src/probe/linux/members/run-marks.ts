import { hasFailed, isAbsent } from '../../../model/facts/absence.js';
import { ownerOf, type ProcessRow, readRow } from '../identity/identify.js';
import type { Given } from '../machine/pid-turnover.js';
import { runIdIn, runIdsIn } from '../proc/environ.js';
import { readPiece } from '../proc/proc-file.js';

/** An environment is empty for a moment while a process becomes another program; some stay empty. */
const emptyReadsMax = 3;

/** Ids of runs; null: none. */
interface Named {
  innermost: string | null;
  all: readonly string[];
}

/**
 * `empty`: there is no environment, for the moment or for good; `later`: it must not be read now; `unread`: the read
 * failed, and its content is unknown.
 */
export type Marks = Named | 'empty' | 'later' | 'unread';

const unmarked: Named = { innermost: null, all: [] };

/** The runs that a process belongs to by its environment. */
export function readMarks({ pid, startTicks, state, ended }: ProcessRow): Marks {
  if (ended) return unmarked;
  // Reading the environment of a process that is blocked in the kernel may block this process as well.
  if (state === 'D') return 'later';
  const environ = readPiece(`/proc/${pid}/environ`);
  if (isAbsent(environ)) return hasFailed(environ) ? 'unread' : unmarked;
  if (environ.length === 0) return 'empty';
  // Before anything else is read: all reads share one buffer.
  const marks = { innermost: runIdIn(environ), all: runIdsIn(environ) };
  // Any user can write anything into the environment of an own process.
  if (marks.all.length === 0) return unmarked;
  const owner = ownerOf(pid);
  if (isAbsent(owner)) return hasFailed(owner) ? 'unread' : unmarked;
  if (owner !== process.geteuid?.()) return unmarked;
  // Checks that the pid was not reused meanwhile.
  const row = readRow(pid);
  if (isAbsent(row)) return hasFailed(row) ? 'unread' : unmarked;
  return row.startTicks === startTicks ? marks : unmarked;
}

/** The innermost run that the environment of a process names; null: none. `later`, `unread`: not known now. */
export function readMark(row: ProcessRow): string | null | 'later' | 'unread' {
  const marks = readMarks(row);
  if (marks === 'unread') return marks;
  return typeof marks === 'string' ? 'later' : marks.innermost;
}

/** The same for repeated reads: an environment that stays empty names no run. */
export class RunMarks {
  readonly #emptyReads = new Map<number, number>();

  /** Ids of runs; null: not known now. */
  read(row: ProcessRow): readonly string[] | null {
    const marks = readMarks(row);
    if (marks === 'empty') return this.#isEmptyAgain(row.pid) ? [] : null;
    return typeof marks === 'string' ? null : marks.all;
  }

  forget(given: Given): void {
    for (const pid of this.#emptyReads.keys()) if (given(pid)) this.#emptyReads.delete(pid);
  }

  #isEmptyAgain(pid: number): boolean {
    const reads = (this.#emptyReads.get(pid) ?? 0) + 1;
    this.#emptyReads.set(pid, reads);
    return reads >= emptyReadsMax;
  }
}
