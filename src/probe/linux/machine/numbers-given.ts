import { isAbsent } from '../../../model/facts/absence.js';
import { readText } from '../proc/proc-file.js';
import { countForks, mayHaveTurnedOver } from './pid-turnover.js';

/** Whether a pid can have been assigned to a new process (or thread). */
export type Given = (pid: number) => boolean;

/** The last pid that was assigned: the fifth field of /proc/loadavg (proc(5)). null: not shown. */
function readLastGiven(): number | null {
  const text = readText('/proc/loadavg');
  const last = isAbsent(text) ? 0 : Number(/ (\d+)\s*$/.exec(text)?.[1] ?? 0);
  return last === 0 ? null : last;
}

/** Pids are assigned in order, and after the highest comes the lowest again. */
export function givenBetween(from: number, to: number): Given {
  return to >= from ? (pid) => pid > from && pid <= to : (pid) => pid > from || pid <= to;
}

/** Shows which pids may have been reused between two readings of /proc. */
export class NumbersGiven {
  #last: number | null = null;
  #forks = Number.NaN;

  sinceLastTime(): Given {
    const before = { last: this.#last, forks: this.#forks };
    this.#last = readLastGiven();
    this.#forks = countForks();
    if (before.last === null || this.#last === null) return () => true;
    // So many new processes that the pids may have wrapped around.
    if (mayHaveTurnedOver(before.forks, this.#forks)) return () => true;
    return givenBetween(before.last, this.#last);
  }
}
