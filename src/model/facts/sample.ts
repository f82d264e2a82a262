import type { ProcessState } from './snapshot.js';

/** Unit in which the kernel reports CPU time to user space (USER_HZ), whatever its own clock is. */
export const ticksPerSecond = 100;

/** The cheap numbers of one tick, for every followed process. */
export interface Sample {
  /** Milliseconds of a monotonic clock; only differences matter. */
  atMs: number;
  processes: ProcessSample[];
  /** Processes that ended since the last sample; they are no longer followed. */
  ended: EndedProcess[];
  /** Alive, but not readable at this tick (out of file descriptors): still followed. */
  unread: number[];
}

export interface EndedProcess {
  pid: number;
  startTicks: number;
}

/**
 * One process at one tick. A process that did not run since the last tick is the same object again. Its resident pages,
 * and a parent that is not followed, are then at most 12 ticks old; its state too, unless CPUs are scarce.
 */
export interface ProcessSample {
  readonly pid: number;
  readonly startTicks: number;
  readonly parent: number;
  readonly state: ProcessState;
  readonly threads: number;
  readonly residentPages: number;
  /** User and system time of all its threads, including ended ones. */
  readonly cpuTicks: number;
  /** The same for all reaped children, including those that lived only between two ticks. */
  readonly reapedCpuTicks: number;
  /** The main thread alone, in nanoseconds; null: not counted by this kernel. */
  readonly mainThread: { readonly ranNs: number; readonly delayedNs: number; readonly runs: number } | null;
  /** null: not readable, which does not mean no I/O. */
  readonly io: ProcessIo | null;
}

export interface ProcessIo {
  /** Through read and write calls of any kind, except send and recv. */
  readonly readChars: number;
  readonly writeChars: number;
  /** Bytes from and to a disk. */
  readonly readBytes: number;
  readonly writeBytes: number;
}
