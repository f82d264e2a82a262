/** Locks of java.util.concurrent that name their owner. */
export const javaLockTypes = ['ReentrantLock', 'ReentrantReadWriteLock'] as const;

/** What threads of a Python program wait for; a Thread is what `join` waits for. */
export const pythonLockTypes = ['threading.Lock', 'threading.RLock', 'threading.Thread'] as const;

export const lockTypes = [...javaLockTypes, ...pythonLockTypes] as const;

export type LockType = (typeof lockTypes)[number];

const ofPython: ReadonlySet<string> = new Set(pythonLockTypes);

export function isOfPython(type: LockType | undefined): boolean {
  return type !== undefined && ofPython.has(type);
}

/**
 * A Java monitor (`synchronized`) that another thread is in, or a lock of Java or Python that it has, waited for without a
 * timeout. Both stood so at one moment of each collect.
 */
export interface MonitorFacts {
  /** Of a lock: as of the second collect. */
  address: string;
  /** The thread that has it. Of a plain lock of Python another thread may release it, which programs hardly do. */
  owner: number;
  /** A lock, no monitor. */
  type?: LockType;
}
