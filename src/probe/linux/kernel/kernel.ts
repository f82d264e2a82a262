import type { AbsenceReason, Absent } from '../../../model/facts/absence.js';
import type { AlarmFacts, FdDetail } from '../../../model/facts/snapshot.js';
import type { SocketFacts } from '../../../model/facts/sockets.js';
import type { Memory } from '../proc/mem.js';

/** Clocks that deadlines are given in. */
export type Clock = 'realtime' | 'monotonic' | 'boottime';

/** Facts of a file behind a link. */
export interface FileStat {
  device: bigint;
  inode: bigint;
  links: number;
  fifo: boolean;
}

/** Files of /proc and /sys by path. */
export interface KernelFiles {
  bytes(path: string): Buffer | Absent;
  text(path: string): string | Absent;
  link(path: string): string | Absent;
  /** The entries of a directory that are numbers. */
  numbers(path: string): number[] | Absent;
}

/** The directory of one process. */
export interface ProcessDir {
  readonly pid: number;
  bytes(name: string): Buffer | Absent;
  text(name: string): string | Absent;
  link(name: string): string | Absent;
  numbers(name: string): number[] | Absent;
  /** The permission bits of a link itself: for an open file, whether it is open for reading and writing. */
  linkMode(name: string): number | Absent;
  /** The file behind a link. It may lie on a file system that never answers: the caller checks that first. */
  stat(name: string): FileStat | Absent;
  /** The first bytes of a file behind a link. */
  head(name: string, length: number): Buffer | Absent;
  /** The last bytes of a file behind a link. */
  tail(name: string, length: number): Buffer | Absent;
  /** The memory of the process; `task`: the way in when the leader is a zombie. */
  memory(task: number | null): Memory;
  close(): void;
}

/** Timeouts that a program set on a socket; null: no timeout. */
export interface SocketTimeouts {
  receiveMs: number | null;
  sendMs: number | null;
}

/** What no file of /proc shows. null: not known. */
export interface NativeFacts {
  sameMemory(a: number, b: number): boolean | null;
  /** Of two processes or threads: whether they share their table of open files. */
  sameFiles(a: number, b: number): boolean | null;
  /** Of open files of two processes or threads, in an order that lasts. 0: the same. */
  orderOfFiles(a: number, aFd: number, b: number, bFd: number): -1 | 0 | 1 | null;
  /** Whether an epoll instance watches the file that is open under a number now; `nth`: registration of that number. */
  watchesFile(pid: number, epfd: number, fd: number, nth: number): boolean | null;
  socketTimeouts(pid: number, fd: number): SocketTimeouts | null;
  terminal(path: string): FdDetail | null;
  /** Unix sockets of the reader's network namespace, with the inode of their other end. */
  unixSockets(): SocketFacts[] | null;
  /** TCP sockets of the reader's network namespace, with their byte counters. */
  tcpSockets(): SocketFacts[] | null;
}

/** The machine and the process that reads it. */
export interface ReaderFacts {
  kernel: string;
  /** Node's name of the architecture. */
  arch: string;
  bootId: string;
  pid: number;
  uid: number;
  /** Some processes are invisible to it: because of a pid namespace, or of hidepid. */
  confined: boolean;
}

/** Everything that a snapshot is read from: this machine, or a capture of another one. */
export interface Kernel {
  readonly files: KernelFiles;
  readonly native: NativeFacts;
  /** Why not all processes are listed; null: they are. */
  readonly cut: string | null;
  /** Why this kernel does not show what `native` has no answer for. */
  readonly lacks: AbsenceReason;
  /** Clocks are read anew for each snapshot. */
  clockMs(clock: Clock, pid: number): number;
  /** The scheduler's clock of a CPU, when the process was read; null: not known. */
  schedNowMs(cpu: number, pid: number): number | null;
  reader(): ReaderFacts;
  /** Absent as `limit`: the process was there, and only its name was captured. */
  open(pid: number): ProcessDir | Absent;
  /** A process without a directory that is alive all the same: /proc hides it. */
  isHidden(pid: number): boolean;
  /** As of an earlier moment, after which no relevant process has run. null: not known. */
  alarms(sinceMs: number): AlarmFacts[] | null;
  /** From now on the second reading is wanted. Returns how long it was after the first, if that is known here. */
  beginSecond(): number | null;
}
