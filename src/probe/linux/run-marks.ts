import fs from 'node:fs';
import { isAbsent } from '../../model/absence.js';
import { runIdsIn } from './environ.js';
import type { Given } from './numbers-given.js';
import { attempt, readBytes } from './proc-file.js';
import type { ProcessRow } from './process-row.js';

/** An environment is empty for a moment while a process becomes another program; some are so for good. */
const emptyLooksMax = 3;

/** Names of runs; `empty`: there is no environment, for the moment or for good; `later`: it must not be read now. */
export type Marks = readonly string[] | 'empty' | 'later';

/** Which runs a process belongs to by what its environment says. */
export function readMarks({ pid, state, ended }: ProcessRow): Marks {
  if (ended) return [];
  // Reading the environment of one that is blocked in the kernel may block us as well.
  if (state === 'D') return 'later';
  const environ = readBytes(`/proc/${pid}/environ`);
  if (isAbsent(environ)) return environ.absent === 'limit' ? 'later' : [];
  if (environ.length === 0) return 'empty';
  const marks = runIdsIn(environ);
  // Anybody can write anything into an environment of his own.
  return marks.length > 0 && isOurs(pid) ? marks : [];
}

/** The same for whoever asks again and again: one that stays empty says nothing. */
export class RunMarks {
  readonly #emptyLooks = new Map<number, number>();

  /** Names of runs; null: cannot be told now. */
  read(row: ProcessRow): readonly string[] | null {
    const marks = readMarks(row);
    if (marks === 'empty') return this.#isEmptyAgain(row.pid) ? [] : null;
    return marks === 'later' ? null : marks;
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

function isOurs(pid: number): boolean {
  const directory = attempt(() => fs.statSync(`/proc/${pid}`));
  return !isAbsent(directory) && directory.uid === process.geteuid?.();
}
