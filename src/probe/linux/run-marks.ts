import fs from 'node:fs';
import { isAbsent } from '../../model/absence.js';
import { belongsTo } from './environ.js';
import type { Given } from './numbers-given.js';
import { attempt, readBytes } from './proc-file.js';
import type { ProcessRow } from './process-row.js';

const runIds = /run_[0-9a-f]{12}/g;
/** An environment is empty for a moment while a process becomes another program; some are so for good. */
const emptyLooksMax = 3;

/** Which runs a process belongs to by what its environment says. */
export class RunMarks {
  readonly #emptyLooks = new Map<number, number>();

  /** Names of runs; null: cannot be told now. */
  read({ pid, state, ended }: ProcessRow): readonly string[] | null {
    if (ended) return [];
    // Reading the environment of one that is blocked in the kernel may block us as well.
    if (state === 'D') return null;
    const environ = readBytes(`/proc/${pid}/environ`);
    if (isAbsent(environ)) return environ.absent === 'limit' ? null : [];
    if (environ.length === 0) return this.#isEmptyAgain(pid) ? [] : null;
    const ids = new Set(environ.toString('latin1').match(runIds));
    const marks = [...ids].filter((id) => belongsTo(environ, id));
    // Anybody can write anything into an environment of his own.
    return marks.length > 0 && isOurs(pid) ? marks : [];
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
