import { isAbsent } from '../../model/facts/absence.js';
import type { ProcessIdentity } from '../../model/facts/identity.js';
import type { Runtime } from '../../model/facts/snapshot.js';
import { readExecutable } from '../linux/identity/executable.js';
import { bootId } from '../linux/identity/identify.js';
import type { ProcDir } from '../linux/proc/proc-dir.js';
import { parseStat } from '../linux/proc/stat.js';
import { parseStatus } from '../linux/proc/status.js';

/** What decides which tools may read a process. */
export interface StackTarget {
  pid: number;
  /** Its pid in its own pid namespace. */
  innerPid: number;
  runtime: Runtime | null;
  /** States of all its threads: `SSD`. */
  states: string;
  /** Signals that the process handles itself, as a hexadecimal mask. */
  caught: string;
  /** The pid of its tracer; 0: not traced. */
  tracer: number;
}

export interface StackSubject {
  identity: ProcessIdentity;
  dir: ProcDir;
  target: StackTarget;
}

/** Proves that the directory is of that very process, and that it has not ended. */
export function isStill(dir: ProcDir, identity: ProcessIdentity): boolean {
  const bytes = dir.bytes('stat');
  const ticks = isAbsent(bytes) ? null : parseStat(bytes)?.startTicks;
  return ticks === identity.startTicks && identity.bootId !== '' && identity.bootId === bootId();
}

export function readStates(dir: ProcDir): string {
  const tids = dir.numbers('task');
  if (isAbsent(tids)) return '';
  const stateOf = (tid: number): string => {
    const bytes = dir.bytes(`task/${tid}/stat`);
    return isAbsent(bytes) ? '' : (parseStat(bytes)?.state ?? '');
  };
  return tids.map(stateOf).join('');
}

export function readTarget(dir: ProcDir): StackTarget | null {
  const text = dir.text('status');
  if (isAbsent(text)) return null;
  const { namespacePids, caught, tracer } = parseStatus(text);
  return {
    pid: dir.pid,
    innerPid: namespacePids.at(-1) ?? dir.pid,
    runtime: readExecutable(dir, new Map()).runtime,
    states: readStates(dir),
    caught,
    tracer,
  };
}
