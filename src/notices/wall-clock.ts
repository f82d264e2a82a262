/** The clock of the notice rules, so that a test need not wait for it. */
export interface WallClock {
  /** Milliseconds since 1970. It may jump: `diagnose/notices/saved.ts` handles that. */
  nowMs(): number;
  /** Calls back once after this time. Returns a function that cancels it. */
  after(ms: number, then: () => void): () => void;
}

/** For a longer delay, Node calls back at once. */
const timerMsMax = 2 ** 31 - 1;

/**
 * Its timers do not keep the process alive. A timer may fire a moment early by the clock, so it gets one more
 * millisecond.
 */
export const wallClock: WallClock = {
  nowMs: Date.now,
  after(ms, then) {
    const timer = setTimeout(then, Math.min(ms + 1, timerMsMax)).unref();
    return () => clearTimeout(timer);
  },
};
