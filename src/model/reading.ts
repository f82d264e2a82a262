import { Failure } from './failure.js';
import { faultWords } from './fault-words.js';

/** What a read told. `unknown`: it failed, and nothing follows from that; the next read may not fail. */
export type Reading<T> = { kind: 'known'; value: T } | Unknown;

export interface Unknown {
  kind: 'unknown';
  /** In words, with the cause. */
  reason: string;
}

/** Only these prove that a file is not there. */
const missing: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR']);

export function isMissing(error: unknown): boolean {
  return missing.has((error as NodeJS.ErrnoException | null)?.code);
}

/** A file that is not there is a fact: `whenMissing`. A bug (TypeError …) still throws. */
export function readingOf<T>(read: () => T, whenMissing: T): Reading<T> {
  try {
    return { kind: 'known', value: read() };
  } catch (error) {
    if (isMissing(error)) return { kind: 'known', value: whenMissing };
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return { kind: 'unknown', reason: faultWords(error).what };
  }
}

/** The same with another value; what is unknown stays so. */
export function mapReading<T, U>(reading: Reading<T>, map: (value: T) => U): Reading<U> {
  return reading.kind === 'unknown' ? reading : { kind: 'known', value: map(reading.value) };
}

/** For what is shown as far as it is known. */
export function valueOr<T>(reading: Reading<T>, whenUnknown: T): T {
  return reading.kind === 'known' ? reading.value : whenUnknown;
}

/** For whatever cannot go on without it. Throws a Failure when it is unknown. */
export function knownValue<T>(reading: Reading<T>, what: string): T {
  if (reading.kind === 'known') return reading.value;
  throw new Failure('cannot-read', `${what} cannot be read: ${reading.reason}`, 'try again in a moment');
}
