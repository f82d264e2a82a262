/** Locks of java.util.concurrent that name their owner. */
export const lockTypes = ['ReentrantLock', 'ReentrantReadWriteLock'] as const;

export type LockType = (typeof lockTypes)[number];

/**
 * A Java monitor (`synchronized`) that another thread is in, or a lock that it has, waited for without a timeout. Both
 * stood so at one moment of each collect.
 */
export interface MonitorFacts {
  /** Of a lock: as of the second collect. */
  address: string;
  /** The thread that has it: the only one that can let others in. */
  owner: number;
  /** A lock, no monitor. */
  type?: LockType;
}
