import { hasFailed, isAbsent } from '../../../model/facts/absence.js';
import { Failure } from '../../../model/failure.js';
import { type ProcessRow, readRow } from '../identity/identify.js';
import { needProc } from '../machine/has-proc.js';
import { listNumbers } from '../proc/proc-file.js';
import { readMark } from './run-marks.js';

/** Every process on this machine, and the run that its environment names. */
export interface Census {
  readonly rows: ReadonlyMap<number, ProcessRow>;
  /** By pid; only processes of this user, as any user can claim anything. */
  readonly marks: ReadonlyMap<number, string>;
}

/** The run of each process that had one in its environment at an earlier census. */
export type KnownMarks = Map<number, { readonly startTicks: number; readonly mark: string }>;

/**
 * A pass over /proc. Throws a Failure when some of it cannot be read. `known` spares reading the same environments at every
 * census, and is brought up to date.
 */
export function takeCensus(known: KnownMarks = new Map()): Census {
  needProc('the list of processes cannot be read');
  const pids = listNumbers('/proc');
  if (isAbsent(pids)) {
    throw new Failure(
      'unsupported',
      'the list of processes cannot be read',
      'is /proc mounted? see: unstuck doctor',
    );
  }
  const rows = new Map<number, ProcessRow>();
  const marks = new Map<number, string>();
  for (const pid of pids) {
    const row = readRow(pid);
    // A parent that could not be read would appear to be gone, and its children abandoned.
    if (isAbsent(row) && hasFailed(row)) throw unreadable(`process ${pid}`);
    if (isAbsent(row)) continue;
    rows.set(pid, row);
    const before = known.get(pid);
    const isKnown = before?.startTicks === row.startTicks && !row.ended;
    const mark = isKnown ? before.mark : row.kernelThread ? null : readMark(row);
    if (mark === 'unread') throw unreadable(`the environment of process ${pid}`);
    if (mark === null || mark === 'later') continue;
    marks.set(pid, mark);
    if (!isKnown) known.set(pid, { startTicks: row.startTicks, mark });
  }
  for (const pid of known.keys()) if (!marks.has(pid)) known.delete(pid);
  return { rows, marks };
}

function unreadable(what: string): Failure {
  return new Failure('cannot-read', `${what} cannot be read`, 'try again in a moment');
}
