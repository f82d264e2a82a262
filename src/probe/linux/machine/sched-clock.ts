import { isAbsent } from '../../../model/facts/absence.js';
import { loadLibc } from '../native/libc.js';
import { readBytes } from '../proc/proc-file.js';
import { parseExecStartMs } from '../proc/schedstat.js';
import { parseStat } from '../proc/stat.js';

/** Clocks of two CPUs drift apart by milliseconds in a minute at most. */
const offsetAgeMsMax = 60_000;
/** A snapshot moves to at most this many CPUs: on a busy machine each move waits for its turn. */
const movesMax = 8;
const affinityBytes = 1024;

/** How far a CPU's scheduler clock is ahead of `performance.now()`, and when that was measured. */
interface Offset {
  cpu: number;
  aheadMs: number;
  atMs: number;
}

export interface SchedMeter {
  /** The offset of the CPU this thread is on now; null: not readable. */
  here(): Offset | null;
  /** The offset of this CPU; null: not permitted to run there. */
  on(cpu: number): Offset | null;
}

function ownCpu(): number | null {
  const bytes = readBytes('/proc/thread-self/stat');
  return Buffer.isBuffer(bytes) ? (parseStat(bytes)?.processor ?? null) : null;
}

function measureHere(): Offset | null {
  const cpu = ownCpu();
  const bytes = readBytes('/proc/thread-self/sched');
  const execStartMs = isAbsent(bytes) ? null : parseExecStartMs(bytes);
  const atMs = performance.now();
  if (cpu === null || execStartMs === null || ownCpu() !== cpu) return null;
  return { cpu, aheadMs: execStartMs - atMs, atMs };
}

/** Moves this thread to another CPU for a moment. */
function measureOn(cpu: number): Offset | null {
  const libc = loadLibc();
  const allowed = Buffer.alloc(affinityBytes);
  if (libc === null || cpu >> 3 >= affinityBytes) return null;
  if (libc.sched_getaffinity(0, affinityBytes, allowed) !== 0) return null;
  const only = Buffer.alloc(affinityBytes);
  only[cpu >> 3] = 1 << (cpu & 7);
  if (libc.sched_setaffinity(0, affinityBytes, only) !== 0) return null;
  try {
    return measureHere();
  } finally {
    libc.sched_setaffinity(0, affinityBytes, allowed);
  }
}

const meter: SchedMeter = { here: measureHere, on: measureOn };
const offsetsOfMachine = new Map<number, Offset>();

/**
 * The scheduler's clock of each CPU. The clocks of a virtual machine differ, by a second and more after a day: a time
 * of one clock is compared only with the same clock, read now.
 */
export class SchedClock {
  readonly #meter: SchedMeter;
  readonly #offsets: Map<number, Offset>;
  #moves = 0;

  constructor(own: SchedMeter = meter, offsets = offsetsOfMachine) {
    this.#meter = own;
    this.#offsets = offsets;
  }

  /** The present time by the clock of this CPU; null: not known. */
  nowMs(cpu: number): number | null {
    return this.#known(cpu) ?? this.#measured(cpu);
  }

  #known(cpu: number): number | null {
    const offset = this.#offsets.get(cpu);
    const nowMs = performance.now();
    return offset === undefined || nowMs - offset.atMs > offsetAgeMsMax ? null : nowMs + offset.aheadMs;
  }

  #measured(cpu: number): number | null {
    this.#note(this.#meter.here());
    const here = this.#known(cpu);
    if (here !== null || this.#moves >= movesMax) return here;
    this.#moves += 1;
    this.#note(this.#meter.on(cpu));
    return this.#known(cpu);
  }

  #note(offset: Offset | null): void {
    if (offset !== null) this.#offsets.set(offset.cpu, offset);
  }
}
