/** Locks of java.util.concurrent that name their owner. */
export const javaLockTypes = ['ReentrantLock', 'ReentrantReadWriteLock'] as const;

/** What threads of a Python program wait for; a Thread is what `join` waits for. */
export const pythonLockTypes = ['threading.Lock', 'threading.RLock', 'threading.Thread'] as const;

/** A class that another thread initializes. */
const classTypes = ['class initialization'] as const;

export const lockTypes = [...javaLockTypes, ...classTypes, ...pythonLockTypes] as const;

export type LockType = (typeof lockTypes)[number];

const ofPython: ReadonlySet<string> = new Set(pythonLockTypes);

export function isOfPython(type: LockType | undefined): boolean {
  return type !== undefined && ofPython.has(type);
}

/**
 * A Java monitor (`synchronized`) or a lock of Java or Python that another thread holds, waited for without a timeout. Wait
 * and owner are consistent at one moment of each collect.
 */
export interface MonitorFacts {
  /** For a lock: as of the second collect. */
  address: string;
  /** The thread that holds it. A plain lock of Python may be released by another thread, which programs hardly do. */
  owner: number;
  /** The thread that holds it has ended (its number is not known): no thread can release it any more. */
  ended?: true;
  /** Set for a lock, absent for a monitor. */
  type?: LockType;
  /** Another thread can end the wait, by an interrupt. */
  interruptible?: true;
}
