import type { MonitorFacts } from '../../model/facts/monitors.js';
import type { FdFacts, FutexFacts } from '../../model/facts/snapshot.js';

/** One thing that could end a wait. */
export type Awaited =
  | { what: 'file'; file: FdFacts; purpose: Purpose }
  /** Numbers as this process's pid namespace counts; `any`: whichever child comes first. */
  | { what: 'children'; pids: number[] | 'any' }
  | { what: 'futex'; futex: FutexFacts }
  | { what: 'monitor'; monitor: MonitorFacts }
  | { what: 'signal'; mask: bigint | null }
  | { what: 'file-lock'; file: FdFacts | null }
  | { what: 'partner'; path: string }
  | { what: 'filesystem'; path: string | null }
  | { what: 'ring' }
  | { what: 'ipc'; call: string }
  /** A process that decides about its calls (seccomp user notification). */
  | { what: 'filter' }
  /** Whatever it is: the process does not let its own user see it. */
  | { what: 'hidden' }
  | { what: 'unknown'; about: string };

/** `control`: somebody adds to an epoll instance; `hang-up`: the other end goes away. */
export type Purpose = 'read' | 'write' | 'accept' | 'connect' | 'control' | 'hang-up';

/** How a thread waits: for whichever of `on` comes first, or until the time is up. */
export interface Wait {
  call: string;
  /** Where the knowledge comes from: the call with its arguments, or only the kernel function it sleeps in. */
  source: 'call' | 'wchan' | 'none';
  /** One blocking call on one thing, or one member of a watched set. */
  form: 'single' | 'set';
  on: Awaited[];
  /** null: for ever. */
  timeout: { leftMs: number | null; exact: boolean } | null;
  /** false: something else, not known to us, might end it too. */
  complete: boolean;
}
