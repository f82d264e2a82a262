import { fieldsOf, momentOf, orNull } from './saved.js';

/** Plain data: elapsed time, made from a clock that may jump. */
export interface Clock {
  /** The last wall clock time; null: not read yet. */
  wallMs: number | null;
  /**
   * Never goes back: when the wall clock is set back, it stands still for a moment. A notice may be late, never wrong.
   */
  nowMs: number;
}

export const startClock: Clock = { wallMs: null, nowMs: 0 };

export function advanceClock({ wallMs, nowMs }: Clock, atMs: number): Clock {
  return { wallMs: atMs, nowMs: nowMs + Math.max(0, atMs - (wallMs ?? atMs)) };
}

export function readClock(value: unknown): Clock {
  const { wallMs, nowMs } = fieldsOf(value);
  return { wallMs: orNull(wallMs, momentOf), nowMs: momentOf(nowMs) };
}
