import { Failure } from '../failure.js';
import { faultWords } from '../fault-words.js';

/** Result of a read. `unknown`: it failed, which proves nothing; the next read may succeed. */
export type Reading<T> = { kind: 'known'; value: T } | Unknown;

export interface Unknown {
  kind: 'unknown';
  /** A message with the cause. */
  reason: string;
}

/** Only these errors prove that a file does not exist. */
const missing: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR']);

export function isMissing(error: unknown): boolean {
  return missing.has((error as NodeJS.ErrnoException | null)?.code);
}

/** A missing file is a fact: `whenMissing`. A bug (TypeError …) still throws. */
export function readingOf<T>(read: () => T, whenMissing: T): Reading<T> {
  try {
    return { kind: 'known', value: read() };
  } catch (error) {
    if (isMissing(error)) return { kind: 'known', value: whenMissing };
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return { kind: 'unknown', reason: faultWords(error).what };
  }
}

/** Maps a known value; unknown stays unknown. */
export function mapReading<T, U>(reading: Reading<T>, map: (value: T) => U): Reading<U> {
  return reading.kind === 'unknown' ? reading : { kind: 'known', value: map(reading.value) };
}

/** The value, or a default when it is unknown. */
export function valueOr<T>(reading: Reading<T>, whenUnknown: T): T {
  return reading.kind === 'known' ? reading.value : whenUnknown;
}

/** The value. Throws a Failure when it is unknown. */
export function knownValue<T>(reading: Reading<T>, what: string): T {
  if (reading.kind === 'known') return reading.value;
  throw new Failure('cannot-read', `${what} cannot be read: ${reading.reason}`, 'try again in a moment');
}
