import type { MonitorFacts } from '../../model/facts/monitors.js';
import type { FdFacts, FutexFacts } from '../../model/facts/snapshot.js';
import type { Cause } from './cause.js';

/** A thing that could end a wait. */
export type Awaited =
  | { what: 'file'; file: FdFacts; purpose: Purpose }
  /** Pids in the pid namespace of this process; `any`: the first child that ends. */
  | { what: 'children'; pids: number[] | 'any' }
  | { what: 'futex'; futex: FutexFacts }
  | { what: 'monitor'; monitor: MonitorFacts }
  | { what: 'signal'; mask: bigint | null }
  /** `ofFile`: the lock belongs to an open file, not to a process. */
  | { what: 'file-lock'; file: FdFacts | null; ofFile: boolean }
  | { what: 'filesystem'; path: string | null }
  /** A process that decides about the calls of the waiting process (seccomp user notification). */
  | { what: 'filter' }
  /** The call itself shows the cause, and there is no process to follow. */
  | { what: 'outside'; cause: Cause };

export const closedMeanwhile: Awaited = { what: 'outside', cause: { kind: 'changing', change: 'closed' } };

export const unknownWait = (what: string): Awaited => ({ what: 'outside', cause: { kind: 'unknown', what } });

/** `control`: a thread adds to an epoll instance; `hang-up`: the other end goes away. */
export type Purpose = 'read' | 'write' | 'accept' | 'connect' | 'control' | 'hang-up';

/** How a thread waits: until the first of `on` happens, or until the time is up. */
export interface Wait {
  call: string;
  /** The source of the facts: the call with its arguments, or only the kernel function in which the thread sleeps. */
  source: 'call' | 'wchan' | 'none';
  /** A blocking call on a single thing, or a member of a watched set. */
  form: 'single' | 'set';
  on: Awaited[];
  /** null: for ever. */
  timeout: { leftMs: number | null; exact: boolean } | null;
  /** false: something else, which is not known, might end the wait too. */
  complete: boolean;
}
