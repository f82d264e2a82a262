import { type Absent, isAbsent } from '../../../model/facts/absence.js';
import type { ProcessState } from '../../../model/facts/snapshot.js';
import { readPiece } from '../proc/proc-file.js';
import { isKernelThread, parseStat } from '../proc/stat.js';

/** A line of the process table. */
export interface ProcessRow {
  readonly pid: number;
  readonly startTicks: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** The name of the process; a process that was just forked still has its parent's name. */
  readonly name: string;
  readonly state: ProcessState;
  /** No thread of it runs any more; its parent has not asked for its exit status yet. */
  readonly ended: boolean;
  readonly kernelThread: boolean;
}

export function readRow(pid: number): ProcessRow | Absent {
  const bytes = readPiece(`/proc/${pid}/stat`);
  if (isAbsent(bytes)) return bytes;
  const stat = parseStat(bytes);
  if (stat === null) return { absent: 'failed' };
  const { startTicks, parent, group, session, name, state, threads } = stat;
  return {
    pid,
    startTicks,
    parent,
    group,
    session,
    name,
    state,
    // A main thread that has ended while other threads go on shows as Z, too.
    ended: state === 'X' || (state === 'Z' && threads <= 1),
    kernelThread: isKernelThread(stat),
  };
}
