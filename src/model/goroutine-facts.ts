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
}

export interface GoroutineWait {
  reason: string;
  count: number;
}
