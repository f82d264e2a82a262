import type { GoroutineWait, ParkedGoroutine } from '../../model/facts/goroutines.js';
import type { FdFacts, FileLockFacts } from '../../model/facts/snapshot.js';
import type { SocketFacts } from '../../model/facts/sockets.js';
import type { Task } from './view.js';

/** Why a thread will, may or cannot go on: the end of a chain of waits. One rule file each. */
export type Cause =
  | { kind: 'computing'; ranMs: number; gapMs: number }
  | { kind: 'changing'; change: 'ended' | 'exec' | 'grew' | 'ran' | 'child-ended' | 'closed' }
  | { kind: 'disk' }
  | { kind: 'transfer'; bytes: number; over: 'socket' | 'file' }
  | { kind: 'spinning'; failedCalls: number }
  | { kind: 'starved'; throttled: boolean }
  | { kind: 'stopped'; signal: number | null; traced: boolean }
  | { kind: 'frozen'; group: string }
  | { kind: 'zombie'; parent: number; status: number | null }
  | { kind: 'kernel-thread' }
  | { kind: 'ourselves' }
  | {
      kind: 'terminal';
      terminal: string;
      password: boolean;
      keys: boolean;
      timed: boolean;
      relay: number | null;
    }
  /** `unseen`: its other end is held, but no holder was found. */
  | { kind: 'stdin'; file: FdFacts; holders: number[]; shared: boolean; unseen: boolean }
  /** `supposed`: only the handler of its signal was seen. */
  | { kind: 'timer'; leftMs: number | null; exact: boolean; supposed: boolean }
  /** `idle`: every request has been answered; the connection is only kept open. */
  | { kind: 'connection'; socket: SocketFacts; idle: boolean }
  | { kind: 'connecting'; socket: SocketFacts }
  | { kind: 'datagram'; socket: SocketFacts; dns: boolean }
  | { kind: 'local-peer'; peer: number; socket: SocketFacts; idle: boolean }
  | { kind: 'listening'; socket: SocketFacts }
  /** News of a background run, through the daemon of Unstuck at `path`. */
  | { kind: 'daemon'; path: string }
  | { kind: 'watching'; watches: number }
  | { kind: 'file-lock'; holders: number[]; file: string; lock: FileLockFacts | null }
  /** `opening`: the process has not opened its own end yet. */
  | { kind: 'fifo-partner'; path: string; opening: boolean }
  | { kind: 'other-end'; file: FdFacts; purpose: 'read' | 'write'; holders: number[] }
  | { kind: 'lingering'; file: FdFacts; holders: number[] }
  | { kind: 'signal'; explicit: boolean }
  | { kind: 'filesystem'; path: string | null; wchan: string | null }
  | { kind: 'device'; link: string }
  | { kind: 'ring' }
  | { kind: 'ipc'; call: string }
  | { kind: 'unseen-holder'; file: FdFacts }
  | { kind: 'hidden' }
  | { kind: 'unknown'; what: string }
  /** A closed set: nothing reachable from here can ever run; `alone`: a single process merely sleeps without an end. */
  | { kind: 'knot'; tasks: Task[]; alone: boolean; proof: 'complete' | 'strong' | 'partial' }
  /**
   * All goroutines of a Go program wait for one another; `forNothing`: each waits for an event that no goroutine can
   * cause.
   */
  | { kind: 'goroutines'; tasks: Task[]; waits: GoroutineWait[]; forNothing: boolean }
  /** Some goroutines of a Go program wait for events that only they could cause, beside others that go on. */
  | { kind: 'stuck-goroutines'; tasks: Task[]; stuck: ParkedGoroutine[] }
  /**
   * Each thread holds what the next thread needs; `goneOwner`: the last thread needs a lock whose owner no longer
   * exists.
   */
  | { kind: 'lock-cycle'; tasks: Task[]; goneOwner: number | null };

export type CauseKind = Cause['kind'];
