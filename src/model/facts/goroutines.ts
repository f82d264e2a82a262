import type { Absent } from './absence.js';

/** Goroutines as listed by the Go runtime, read from its memory. */
export interface GoroutineFacts {
  /** Parked goroutines by their wait reason, as the runtime names it, including those of the runtime itself. */
  waits: GoroutineWait[];
  /** Running, runnable, or in an unknown state. */
  running: number;
  /** In a system call, or in C. */
  inCalls: number;
  /** The thread that sleeps until a signal arrives that the program asked for (os/signal); null: none known. */
  signals: number | null;
  /** Goroutines beyond the limit, not read. */
  unread: number;
  /** Which of them could wake which; left out where none waits for another. */
  graph?: GoroutineGraph | Absent;
}

export interface GoroutineWait {
  reason: string;
  count: number;
}

/** Goroutines parked until another one acts, and what could reach the things they wait for: all of one moment. */
export interface GoroutineGraph {
  parked: ParkedGoroutine[];
  /** Awaited things that a goroutine which may still run, a timer or a variable of the program leads to. */
  reached: string[];
}

export interface ParkedGoroutine {
  id: number;
  reason: string;
  /** How long it has been parked, at least: the runtime notes it at a garbage collection; null: not noted yet. */
  sinceMs: number | null;
  /** The function and line of the program that waits; null: not known. */
  at: string | null;
  /** Addresses of the channels, or of the lock, that it waits for; null: not found. */
  awaits: string[] | null;
  /** Awaited things that its own stack leads to, beside `reached`. */
  reaches: string[];
}

/** Goroutines of the runtime itself, with nothing to do: they mean nothing about the program. */
export const runtimeReasons: ReadonlySet<string> = new Set([
  'force gc (idle)',
  'GC sweep wait',
  'GC scavenge wait',
  'GC worker (idle)',
  'GOMAXPROCS updater (idle)',
  'finalizer wait',
  'cleanup wait',
  'trace reader (blocked)',
]);

/** Not even another goroutine can end these. */
export const endlessReasons: ReadonlySet<string> = new Set([
  'select (no cases)',
  'chan receive (nil chan)',
  'chan send (nil chan)',
]);

/** Only another goroutine can end these. A timer that ends one shows as a thread with a deadline. */
export const sharedReasons: ReadonlySet<string> = new Set([
  'chan receive',
  'chan send',
  'select',
  'semacquire',
  'sync.Cond.Wait',
  'sync.Mutex.Lock',
  'sync.RWMutex.Lock',
  'sync.RWMutex.RLock',
  'sync.WaitGroup.Wait',
  'coroutine',
]);
