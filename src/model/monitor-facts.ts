/** Locks of java.util.concurrent that name their owner. */
export const lockTypes = ['ReentrantLock', 'ReentrantReadWriteLock'] as const;

export type LockType = (typeof lockTypes)[number];

/**
 * A Java monitor (`synchronized`) or lock that another thread holds, waited for without a timeout. Wait and owner are
 * consistent at one moment of each collect.
 */
export interface MonitorFacts {
  /** For a lock: as of the second collect. */
  address: string;
  /** The thread that holds it: only that thread can release it. */
  owner: number;
  /** Set for a lock, absent for a monitor. */
  type?: LockType;
}
