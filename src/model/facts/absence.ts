/** A fact that could not be read is data: which fact, of which process, and why. */
export type AbsenceReason =
  | 'not-permitted'
  /** The process hides it from all users but root, including its own. */
  | 'hidden'
  | 'gone'
  | 'unsupported'
  | 'withheld'
  /** A plain shell in another place cannot read it. */
  | 'uncaptured'
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
  | 'runtime'
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
  /** More about the reason, for example the limit that was reached. */
  detail?: string;
}

export type Absent = { absent: AbsenceReason };

/** A failed read proves nothing: the next one may succeed. */
export function hasFailed({ absent }: Absent): boolean {
  return absent === 'limit' || absent === 'failed';
}

export function isAbsent(value: unknown): value is Absent {
  return typeof value === 'object' && value !== null && 'absent' in value;
}
