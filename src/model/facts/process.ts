import type { Absent } from './absence.js';
import type { FdFacts } from './descriptor.js';
import type { GoroutineFacts } from './goroutines.js';
import type { Runtime } from './stack.js';
import type { ProcessState, ThreadFacts } from './thread.js';

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
  /** Those of them whose signal ends the process. */
  endingTimers?: number;
  /** What is left of a time limit that it polls a child with (Python's `subprocess.run(…, timeout=…)`). */
  childLimitMs?: number;
  memoryKb: number | null;
  /** Change between the two collects: it ended, became another program, or got a thread or child. */
  changed: 'ended' | 'exec' | 'grew' | null;
  /** Shared mappings with a waiting futex that this process also has or can create: it could wake the waiter. */
  sharedMappings: string[];
  /** Processes that share all its memory without being its threads; null: not known. */
  memorySharers: number[] | null;
  /** `fds` lacks some: a thread has open files of its own (`unshare`), or they changed during each reading. */
  filesApart?: true;
  /**
   * Those that threads have open for themselves, and those that were moved to another number while `fds` was read. Their numbers mean
   * nothing to the other threads.
   */
  fdsApart?: FdFacts[];
  /** The debugger that holds it; 0: none. */
  tracer: number;
  /** The run id in its environment, if there is one. */
  runId: string | null;
  /** For a client of the daemon: the command of the background run that it waits for. */
  attends?: number;
  /** For a Go program; absent as `unsupported`: built without symbols, or by a version with another layout. */
  goroutines?: GoroutineFacts | Absent;
}

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
