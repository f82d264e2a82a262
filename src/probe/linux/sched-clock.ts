import { isAbsent } from '../../model/absence.js';
import { type Libc, loadLibc } from './libc.js';
import { readBytes, readText } from './proc-file.js';
import { parseExecStartMs } from './sched.js';
import { parseStat } from './stat.js';

/** Clocks of two CPUs drift apart by milliseconds in a minute at most. */
const offsetAgeMsMax = 60_000;
/** A snapshot moves to at most as many CPUs: on a busy machine each move waits for its turn. */
const movesMax = 8;
const affinityBytes = 1024;

/** Of each CPU, what its scheduler's clock is ahead of ours. */
const offsets = new Map<number, { aheadMs: number; atMs: number }>();

function ownCpu(): number | null {
  const bytes = readBytes('/proc/thread-self/stat');
  return Buffer.isBuffer(bytes) ? (parseStat(bytes)?.processor ?? null) : null;
}

/** The clock of the CPU this thread is on now. */
function measureHere(): void {
  const cpu = ownCpu();
  const text = readText('/proc/thread-self/sched');
  const execStartMs = isAbsent(text) ? null : parseExecStartMs(text);
  const atMs = performance.now();
  if (cpu === null || execStartMs === null || ownCpu() !== cpu) return;
  offsets.set(cpu, { aheadMs: execStartMs - atMs, atMs });
}

/** Moves this thread to another CPU for a moment; where that is not permitted, nothing is measured. */
function measureOn(cpu: number, libc: Libc): void {
  const allowed = Buffer.alloc(affinityBytes);
  if (libc.sched_getaffinity(0, affinityBytes, allowed) !== 0 || cpu >> 3 >= affinityBytes) return;
  const only = Buffer.alloc(affinityBytes);
  only[cpu >> 3] = 1 << (cpu & 7);
  if (libc.sched_setaffinity(0, affinityBytes, only) !== 0) return;
  try {
    measureHere();
  } finally {
    libc.sched_setaffinity(0, affinityBytes, allowed);
  }
}

/**
 * The scheduler's clock of each CPU. Those of a virtual machine differ, by a second and more after a day: a time read on
 * one is compared only with the same clock, read now.
 */
export class SchedClock {
  #moves = 0;

  /** Now, by the clock of this CPU; null: not known. */
  nowMs(cpu: number): number | null {
    return this.#known(cpu) ?? this.#measured(cpu);
  }

  #known(cpu: number): number | null {
    const offset = offsets.get(cpu);
    const nowMs = performance.now();
    return offset === undefined || nowMs - offset.atMs > offsetAgeMsMax ? null : nowMs + offset.aheadMs;
  }

  #measured(cpu: number): number | null {
    measureHere();
    const here = this.#known(cpu);
    if (here !== null || this.#moves >= movesMax) return here;
    this.#moves += 1;
    const libc = loadLibc();
    if (libc !== null) measureOn(cpu, libc);
    return this.#known(cpu);
  }
}
