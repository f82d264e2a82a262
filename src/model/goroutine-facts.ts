/** What a Go program's own scheduler says of its goroutines: the runtime's list of them, read from memory. */
export interface GoroutineFacts {
  /** Parked ones by what they wait for, in the runtime's own words; those of the runtime itself are among them. */
  waits: GoroutineWait[];
  /** Running, about to run, or in a state that this list does not know. */
  running: number;
  /** In a system call, or in C. */
  inCalls: number;
  /** The thread asleep until a signal comes that the program asked for (os/signal); null: none that is known. */
  signals: number | null;
  /** Those beyond the limit, which were not looked at. */
  unread: number;
}

export interface GoroutineWait {
  reason: string;
  count: number;
}
