import type { Absence, Absent } from './absence.js';
import type { GoroutineFacts } from './goroutines.js';
import type { MonitorFacts } from './monitors.js';
import type { DialledAddress, SocketFacts } from './sockets.js';
import type { ProcessStacks, Runtime } from './stack.js';

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

export type ProcessState = 'R' | 'S' | 'D' | 'T' | 't' | 'Z' | 'X' | 'I' | 'P' | '?';

export interface ProcessFacts {
  pid: number;
  startTicks: number;
  parent: number;
  group: number;
  session: number;
  terminal: {
    number: number;
    foregroundGroup: number;
    /** Settings, read only where the open files are out of reach: a password prompt shows in them. */
    settings?: { name: string; canonical: boolean; echo: boolean };
  };
  inTree: boolean;
  name: string;
  /** The command line with secrets masked; the name in brackets when there is none. */
  command: string;
  exe: string | null;
  /** Language runtime, if the executable shows it. */
  runtime: Runtime | null;
  uid: number;
  state: ProcessState;
  kernelThread: boolean;
  /** Field 52 of stat: wait status of a zombie, stop signal of a stopped process; null: not available. */
  exitStatus: number | null;
  /** The ids this process has in its own and every inner pid namespace, outermost first. */
  namespacePids: number[];
  signals: { caught: string; ignored: string; blocked: string } | null;
  /** 0: its calls are not filtered; 2: a filter decides, perhaps in another process; null: not readable. */
  seccomp: number | null;
  threads: ThreadFacts[];
  fds: FdFacts[] | Absent;
  /** Byte and call counters of the first collect, and the increase until the second. */
  io: IoFacts | null;
  children: number[];
  cgroup: CgroupFacts | null;
  /** Number of POSIX timers (timer_create), armed or not; null: not readable. */
  posixTimers: number | null;
  memoryKb: number | null;
  /** Change between the two collects: it ended, became another program, or got a thread or child. */
  changed: 'ended' | 'exec' | 'grew' | null;
  /** Shared mappings with a waiting futex that this process also has or can create: it could wake the waiter. */
  sharedMappings: string[];
  /** Processes that share all its memory without being its threads; null: not known. */
  memorySharers: number[] | null;
  /** The debugger that holds it; 0: none. */
  tracer: number;
  /** The run id in its environment, if there is one. */
  runId: string | null;
  /** For a client of the daemon: the command of the background run that it waits for. */
  attends?: number;
  /** For a Go program; absent as `unsupported`: built without symbols, or by a version with another layout. */
  goroutines?: GoroutineFacts | Absent;
}

export type { Runtime };

export interface ThreadFacts {
  tid: number;
  /** The ids of the thread in inner pid namespaces, when it lives in one. */
  namespaceTid: number;
  name: string;
  state: ProcessState;
  laterState: ProcessState;
  /** Times scheduled in: the version number of everything read about this thread. */
  counter: number | null;
  /** Whether the counter moved between the collects; null: not readable. */
  moved: boolean | null;
  ranMs: number;
  /** Time spent runnable but not running between the collects. */
  delayedMs: number;
  /** Time since it last ran, in milliseconds. */
  offCpuMs: number | null;
  call: CallFacts | Absent;
  wchan: string | null;
  /** The Java monitor or lock it waits for, the same in both collects. */
  monitor?: MonitorFacts;
  /** A Java thread that waits for no monitor or lock of another: its timed waits are its own. */
  monitorless?: true;
}

export type CallFacts =
  | { at: 'running' }
  /** Blocked outside any system call: a page fault, a freezer, a tracer. */
  | { at: 'outside' }
  | BlockedCall;

export interface BlockedCall {
  at: 'call';
  number: number;
  name: string;
  args: string[];
  /** The same line (call, arguments, stack and code address) in both collects although it ran between. */
  repeated: boolean;
  /** Resumed after a stop: the number was lost and the name inferred from the arguments. */
  resumed?: true;
  timeout?: TimeoutFacts | Absent;
  watched?: WatchedFd[] | Absent;
  futex?: FutexFacts;
  path?: string | Absent;
  /** Signals a sigwait accepts, as a hexadecimal mask. */
  signalMask?: string | Absent;
}

/** null length: waits for ever. */
export interface TimeoutFacts {
  ms: number | null;
  /** Absolute deadline: `ms` is the rest. Relative: `ms` is the full length. */
  absolute: boolean;
}

export interface WatchedFd {
  fd: number;
  read: boolean;
  write: boolean;
}

export interface FutexFacts {
  operation: 'wait' | 'wait-bitset' | 'lock-pi' | 'requeue-pi';
  private: boolean;
  address: string;
  /** The value the caller expected to find. */
  expected: number;
  /** 32-bit words at the address; a lock's owner is often among them. */
  words: number[] | Absent;
  /** What a shared futex lies in: device and inode of the mapping, see probe/linux/proc/maps.ts. */
  mapping: string | null;
}

export type FdKind =
  | 'pipe'
  | 'fifo'
  | 'socket'
  | 'terminal'
  | 'ptmx'
  | 'epoll'
  | 'eventfd'
  | 'timerfd'
  | 'signalfd'
  | 'inotify'
  | 'pidfd'
  | 'io_uring'
  | 'null'
  | 'file'
  | 'device'
  | 'other';

export interface FdFacts {
  fd: number;
  kind: FdKind;
  link: string;
  /** One name per kernel object, the same wherever it is open: `pipe:123`, `eventfd:7`. */
  object: string;
  read: boolean;
  write: boolean;
  /** It was closed, or its number was reused, while the snapshot was taken. */
  closed?: true;
  detail?: FdDetail;
}

export type FdDetail =
  | { of: 'epoll'; targets: { fd: number; events: number; inode: number | null }[] }
  | { of: 'timerfd'; leftMs: number | null }
  | { of: 'pidfd'; pid: number }
  | { of: 'ptmx'; index: number }
  | { of: 'signalfd'; mask: string }
  | { of: 'inotify'; watches: number }
  | { of: 'io_uring'; pending: string[] }
  | { of: 'eventfd'; count: number }
  /** `timed`: a read returns after a while even without a key (VMIN 0, VTIME > 0). */
  | { of: 'terminal'; canonical: boolean; echo: boolean; timed: boolean }
  | { of: 'locked'; locks: number }
  /** Timeouts set on a socket; null: for ever. */
  | { of: 'socket'; receiveMs: number | null; sendMs: number | null }
  | { of: 'text'; lastLine: string };

export interface IoFacts {
  readChars: number;
  writeChars: number;
  readCalls: number;
  writeCalls: number;
  addedReadChars: number;
  addedWriteChars: number;
  addedReadCalls: number;
  addedWriteCalls: number;
  addedDiskBytes: number;
}

export interface CgroupFacts {
  path: string;
  frozen: boolean;
  /** Times the CPU quota throttled the group between the collects; null: no quota to read. */
  throttled: number | null;
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
