import type { AbsenceReason } from '../../../model/facts/absence.js';

/** A piece of the memory of a process. */
export interface Region {
  at: bigint;
  bytes: Buffer;
}

/** Clocks of the moment at which a process was read. */
export interface ClockFacts {
  uptimeMs: number;
  cpu: number;
  /** The scheduler's clock of that CPU. */
  schedMs: number;
}

/** What one reading of /proc found, by path. */
export interface Reading {
  files: Map<string, Buffer>;
  links: Map<string, { target: string | null; mode: number }>;
  lists: Map<string, number[]>;
  absent: Map<string, AbsenceReason>;
}

/** Two readings of /proc of a place, for the tree of one process. */
export interface Capture {
  targetPid: number;
  reader: { pid: number; kernel: string; machine: string };
  /** Time of the wall clock at the start, to the second. */
  realtimeMs: number;
  uptimeMs: number;
  gapMs: number;
  first: Reading;
  second: Reading;
  memory: Map<number, Region[]>;
  clocks: Map<number, ClockFacts>;
  /** Output of `ss -xaHn`; null: there is no ss. */
  ss: string | null;
  /** Processes that were there and not read, because of a limit. */
  skipped: Set<number>;
  /** Not all processes were listed. */
  cut: boolean;
}

export function emptyReading(): Reading {
  return { files: new Map(), links: new Map(), lists: new Map(), absent: new Map() };
}
