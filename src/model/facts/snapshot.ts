import type { Absence } from './absence.js';
import type { ProcessFacts } from './process.js';
import type { DialledAddress, SocketFacts } from './sockets.js';
import type { ProcessStacks } from './stack.js';

export type * from './descriptor.js';
export type * from './process.js';
export type { Runtime } from './stack.js';
export type * from './thread.js';

/** Raised when an old judge could misread a new snapshot. */
export const snapshotVersion = 1;

/** Deep kernel evidence of one instant, plain JSON: what a probe reads and a judge judges. */
export interface Snapshot {
  format: 'unstuck-snapshot';
  version: number;
  probe: 'linux' | 'portable';
  at: string;
  host: { kernel: string; arch: string; bootId: string };
  /** The process that took the snapshot, and its ancestors. */
  reader: {
    pid: number;
    uid: number;
    lineage: number[];
    /** It is in a pid namespace (a container): processes outside are invisible. */
    confined: boolean;
  };
  /** Unstuck's own supervisors above the target, nearest first, and inside its tree. */
  relays: number[];
  /** Whether any process of this machine has an alarm (setitimer); null: not known. */
  alarms: boolean | null;
  /** The alarms that are set on this machine, as far as they can be read. */
  alarmTimers?: AlarmFacts[];
  targetPid: number;
  /** Ancestors of the target, nearest first. */
  targetLineage: number[];
  /** Time between the two collects, in milliseconds. */
  gapMs: number;
  tookMs: number;
  /** The tree first (target, then descendants), then processes outside it at the other end of something. */
  processes: ProcessFacts[];
  sockets: SocketFacts[];
  locks: FileLockFacts[];
  /** How completely the holders of kernel objects were searched for. */
  searched: SearchFacts;
  absent: Absence[];
  /** Code of the processes that the verdict is about; absent: not read. */
  stacks?: ProcessStacks[];
  /** Addresses that threads of the tree poll in vain; absent: not read. */
  dialled?: DialledAddress[];
}

export interface SearchFacts {
  /** Whether holders outside the tree were searched for. */
  done: boolean;
  /** Processes that may share files with the tree (its parents, its sessions) and could not be read. */
  unreadablePids: number[];
  /** Processes of that kind that opened and closed files all the time while they were read. */
  restlessPids?: number[];
  /** A limit that cut the search short, or null. */
  cut: string | null;
}

/** An alarm (setitimer) of some process of this machine: which one is not to be had. */
export interface AlarmFacts {
  /** When the tree was first read. */
  leftMs: number;
  /** When it ends, on the clock of `startTicks`, in milliseconds. */
  endsMs: number;
  /** It was not there so long ago: what has not run since did not set it. null: not known. */
  youngerThanMs: number | null;
  /** It was there so long ago already: a process that began later did not set it. Absent: not known. */
  olderThanMs?: number;
}

export interface FileLockFacts {
  id: number;
  type: string;
  mode: string;
  pid: number;
  file: string;
  /** false: this row waits behind the row with the same id. */
  held: boolean;
}
