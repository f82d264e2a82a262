import type { ProcessState } from './snapshot.js';

/** The kernel counts CPU time for user space in these (USER_HZ), whatever its own clock is. */
export const ticksPerSecond = 100;

/** Cheap numbers of one tick, for every process that is followed. */
export interface Sample {
  /** Milliseconds of a clock that never jumps; only differences mean something. */
  atMs: number;
  processes: ProcessSample[];
  /** Processes that are gone since the last sample; they are followed no longer. */
  ended: EndedProcess[];
  /** Not gone, but not readable at this tick (out of file descriptors): followed on. */
  unread: number[];
}

export interface EndedProcess {
  pid: number;
  startTicks: number;
}

/**
 * One process at one tick. Whoever did not run since the last tick is the same object again. Its resident pages,
 * and a parent that is not followed, are then at most 12 ticks old; its state too, unless CPUs are scarce.
 */
export interface ProcessSample {
  readonly pid: number;
  readonly startTicks: number;
  readonly parent: number;
  readonly state: ProcessState;
  readonly threads: number;
  readonly residentPages: number;
  /** User and system time of all its threads, those that ended included. */
  readonly cpuTicks: number;
  /** The same of all children it has waited for: what came and went between two ticks is in here. */
  readonly reapedCpuTicks: number;
  /** The main thread alone, to the nanosecond; null: this kernel does not count. */
  readonly mainThread: { readonly ranNs: number; readonly delayedNs: number; readonly runs: number } | null;
  /** null: not ours to read, which is not the same as no I/O. */
  readonly io: ProcessIo | null;
}

export interface ProcessIo {
  /** Through read and write calls of any kind, except send and recv. */
  readonly readChars: number;
  readonly writeChars: number;
  /** What really went from and to a disk. */
  readonly readBytes: number;
  readonly writeBytes: number;
}
