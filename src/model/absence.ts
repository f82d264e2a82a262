/** A fact that could not be read is data: which one, of whom, and why. */
export type AbsenceReason =
  | 'not-permitted'
  /** The process keeps it from everybody but root, its own user included. */
  | 'hidden'
  | 'gone'
  | 'unsupported'
  | 'withheld'
  | 'limit'
  | 'failed';

/** The kernel sources a probe reads; one file in probe/linux each. */
export type Source =
  | 'stat'
  | 'status'
  | 'schedstat'
  | 'sched'
  | 'syscall'
  | 'wchan'
  | 'io'
  | 'fd'
  | 'fdinfo'
  | 'mem'
  | 'maps'
  | 'locks'
  | 'net'
  | 'tcp-info'
  | 'unix-peers'
  | 'cgroup'
  | 'environ'
  | 'children'
  | 'timers'
  | 'terminal'
  | 'cmdline'
  | 'holders';

export interface Absence {
  source: Source;
  /** null: the fact belongs to the machine, not to one process. */
  pid: number | null;
  reason: AbsenceReason;
  /** Where the plain reason does not say enough, for example the limit that was reached. */
  detail?: string;
}

export type Absent = { absent: AbsenceReason };

/** Nothing follows from it: the next read of the same may not fail. */
export function hasFailed({ absent }: Absent): boolean {
  return absent === 'limit' || absent === 'failed';
}

export function isAbsent(value: unknown): value is Absent {
  return typeof value === 'object' && value !== null && 'absent' in value;
}
