/**
 * Reads state that was saved as JSON and may have been written by any program. Each function throws on a wrong type.
 */
export function fieldsOf(value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new TypeError('no object');
}

/** A safe integer of 0 or more. */
export function countOf(value: unknown): number {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
  throw new TypeError('no count');
}

/** In milliseconds, maybe with a fraction; not after `latestMs`. */
export function momentOf(value: unknown, latestMs = Number.MAX_SAFE_INTEGER): number {
  if (typeof value === 'number' && value >= 0 && value <= latestMs) return value;
  throw new TypeError('no moment, or too late');
}

export function textOf(value: unknown, charsMax: number): string {
  if (typeof value === 'string' && value.length <= charsMax) return value;
  throw new TypeError('no text, or too long');
}

export function flagOf(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw new TypeError('neither true nor false');
}

export function listOf<Item>(value: unknown, max: number, read: (item: unknown) => Item): Item[] {
  if (Array.isArray(value) && value.length <= max) return value.map((item) => read(item));
  throw new TypeError('no list, or too long');
}

export function orNull<Value>(value: unknown, read: (value: unknown) => Value): Value | null {
  return value === null ? null : read(value);
}

/** Half of a state would be worse than a fresh state. */
export function readOr<State>(fresh: State, read: () => State): State {
  try {
    return read();
  } catch {
    return fresh;
  }
}

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
