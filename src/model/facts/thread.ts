import type { Absent } from './absence.js';
import type { MonitorFacts } from './monitors.js';

export type ProcessState = 'R' | 'S' | 'D' | 'T' | 't' | 'Z' | 'X' | 'I' | 'P' | '?';

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
