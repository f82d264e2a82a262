import { hasFailed, isAbsent } from '../../../model/facts/absence.js';
import { ownerOf } from '../identity/process-owner.js';
import { type ProcessRow, readRow } from '../identity/process-row.js';
import type { Given } from '../machine/numbers-given.js';
import { runIdIn, runIdsIn } from '../proc/environ.js';
import { readPiece } from '../proc/proc-file.js';

/** An environment is empty for a moment while a process becomes another program; some are so for good. */
const emptyLooksMax = 3;

/** Names of runs; null: none. */
interface Named {
  innermost: string | null;
  all: readonly string[];
}

/**
 * `empty`: there is no environment, for the moment or for good; `later`: it must not be read now; `unread`: the read
 * failed, and it may say anything.
 */
export type Marks = Named | 'empty' | 'later' | 'unread';

const unmarked: Named = { innermost: null, all: [] };

/** Which runs a process belongs to by what its environment says. */
export function readMarks({ pid, startTicks, state, ended }: ProcessRow): Marks {
  if (ended) return unmarked;
  // Reading the environment of one that is blocked in the kernel may block us as well.
  if (state === 'D') return 'later';
  const environ = readPiece(`/proc/${pid}/environ`);
  if (isAbsent(environ)) return hasFailed(environ) ? 'unread' : unmarked;
  if (environ.length === 0) return 'empty';
  // Before anything else is read: there is one buffer for all.
  const marks = { innermost: runIdIn(environ), all: runIdsIn(environ) };
  // Anybody can write anything into an environment of his own.
  if (marks.all.length === 0) return unmarked;
  const owner = ownerOf(pid);
  if (isAbsent(owner)) return hasFailed(owner) ? 'unread' : unmarked;
  if (owner !== process.geteuid?.()) return unmarked;
  // The number was its own all the time.
  const row = readRow(pid);
  if (isAbsent(row)) return hasFailed(row) ? 'unread' : unmarked;
  return row.startTicks === startTicks ? marks : unmarked;
}

/** The run that a process says it is part of, the innermost one; null: none. `later`, `unread`: cannot be told now. */
export function readMark(row: ProcessRow): string | null | 'later' | 'unread' {
  const marks = readMarks(row);
  if (marks === 'unread') return marks;
  return typeof marks === 'string' ? 'later' : marks.innermost;
}

/** The same for whoever asks again and again: one that stays empty says nothing. */
export class RunMarks {
  readonly #emptyLooks = new Map<number, number>();

  /** Names of runs; null: cannot be told now. */
  read(row: ProcessRow): readonly string[] | null {
    const marks = readMarks(row);
    if (marks === 'empty') return this.#isEmptyAgain(row.pid) ? [] : null;
    return typeof marks === 'string' ? null : marks.all;
  }

  forget(given: Given): void {
    for (const pid of this.#emptyLooks.keys()) if (given(pid)) this.#emptyLooks.delete(pid);
  }

  #isEmptyAgain(pid: number): boolean {
    const looks = (this.#emptyLooks.get(pid) ?? 0) + 1;
    this.#emptyLooks.set(pid, looks);
    return looks >= emptyLooksMax;
  }
}
