import { Failure } from '../failure.js';

/** What the system refused, and what to do about it. */
interface FaultWords {
  what: string;
  hint: string;
}

const restartDaemon = 'restart the daemon, the runs go on: unstuck daemon stop';

const faults: Readonly<Record<string, FaultWords>> = {
  EMFILE: {
    what: 'this process has too many open files (EMFILE)',
    hint: `raise the limit with ulimit -n 4096, and ${restartDaemon}`,
  },
  ENFILE: {
    what: 'this machine has too many open files (ENFILE)',
    hint: 'raise the limit: sysctl fs.file-max',
  },
  ENOMEM: { what: 'not enough memory (ENOMEM)', hint: 'free some memory, see: free -m' },
  EAGAIN: {
    what: 'too many processes or too little memory (EAGAIN)',
    hint: 'see: ulimit -u; free -m',
  },
  ENOSPC: { what: 'the disk is full (ENOSPC)', hint: 'free some disk space, see: df -h' },
  EDQUOT: { what: 'the disk quota is used up (EDQUOT)', hint: 'free some disk space, see: quota' },
  EROFS: { what: 'the disk is read-only (EROFS)', hint: 'see why: dmesg | tail' },
  EIO: { what: 'the disk failed (EIO)', hint: 'see why: dmesg | tail' },
  EACCES: { what: 'permission denied (EACCES)', hint: 'check the owner: ls -la' },
  EPERM: { what: 'not permitted (EPERM)', hint: 'check the owner: ls -la' },
};

/** Message and hint for a system error. */
export function faultWords(error: unknown): FaultWords {
  const { code, message } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  const known = code === undefined ? undefined : faults[code];
  return known ?? { what: code ?? message ?? String(error), hint: 'try again in a moment' };
}

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
