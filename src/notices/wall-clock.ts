/** The time that the rules for notices go by, so that a test need not wait for it. */
export interface WallClock {
  /** Milliseconds since 1970. It may jump: `diagnose/notices/clock.ts` copes with that. */
  nowMs(): number;
  /** Calls back once so much has gone by; returns how to call it off. */
  after(ms: number, then: () => void): () => void;
}

/** More than this and Node calls back at once. */
const timerMsMax = 2 ** 31 - 1;

/** Keeps nobody alive. A timer may be a moment early by the clock: it gets one millisecond more. */
export const wallClock: WallClock = {
  nowMs: Date.now,
  after(ms, then) {
    const timer = setTimeout(then, Math.min(ms + 1, timerMsMax)).unref();
    return () => clearTimeout(timer);
  },
};
