import type { FdFacts } from '../../model/facts/snapshot.js';
import type { Cause } from './cause.js';

interface About {
  idle?: boolean;
  input?: FdFacts;
}

/** What could end a wait: another process or thread (an edge to follow), or something outside the graph. */
export type Waker =
  /**
   * Each of these processes; at least one. All who wait for one object share its list: hundreds may wait for each other.
   * `idle`: a connection on which every request was answered. `input`: the standard input they would feed from outside.
   */
  | ({ to: 'processes'; pids: readonly number[]; via: Via } & About)
  | { to: 'thread'; pid: number; tid: number; via: Via }
  /** `at`: the process that the cause is about, where that is not the waiter itself. */
  | { to: 'outside'; cause: Cause; strength: Strength; at?: number };

/** How one process or thread waits for another; also used in the drawn tree. */
export type Via =
  | 'child'
  | 'pipe'
  | 'pipe-reader'
  | 'unix-socket'
  | 'tcp'
  | 'terminal'
  | 'mutex'
  | 'join'
  | 'monitor'
  | 'futex'
  | 'eventfd'
  | 'pidfd'
  | 'fifo'
  | 'file-lock'
  | 'tracer'
  | 'filter'
  | 'run';

/**
 * plain: could end the wait. optional: one of several things an event loop listens to, or a deadline on something else.
 * derived: a name for an edge that is followed as well; it never opens a closed set.
 */
export type Strength = 'plain' | 'optional' | 'derived';

export function toProcesses(pids: readonly number[], via: Via, about: About = {}): Waker[] {
  return pids.length === 0 ? [] : [{ to: 'processes', pids, via, ...about }];
}
