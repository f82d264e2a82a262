import type { GoroutineWait, ParkedGoroutine } from '../../model/facts/goroutines.js';
import type { FdFacts, FileLockFacts } from '../../model/facts/snapshot.js';
import type { SocketFacts } from '../../model/facts/sockets.js';
import type { Certainty, VerdictKind } from '../../model/verdict.js';
import type { Task, View } from './view.js';

/** Why a thread will, may or cannot go on: the end of a chain of waits. */
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
  /**
   * `unseen`: its other end is held, but no holder was found; `distant`: it comes, or may come, from another machine, where
   * what writes it is not seen.
   */
  | {
      kind: 'stdin';
      file: FdFacts;
      holders: readonly number[];
      shared: boolean;
      unseen: boolean;
      distant?: boolean;
    }
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
  | { kind: 'file-lock'; holders: readonly number[]; file: string; lock: FileLockFacts | null }
  /** `opening`: the process has not opened its own end yet. */
  | { kind: 'fifo-partner'; path: string; opening: boolean }
  | { kind: 'other-end'; file: FdFacts; purpose: 'read' | 'write'; holders: readonly number[] }
  | { kind: 'lingering'; file: FdFacts; holders: readonly number[]; ofTool?: true }
  | { kind: 'signal'; explicit: boolean }
  | { kind: 'filesystem'; path: string | null; wchan: string | null }
  | { kind: 'device'; link: string }
  | { kind: 'ring' }
  | { kind: 'ipc'; call: string }
  | { kind: 'page-fault' }
  | { kind: 'access-check'; path: string | null }
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

type CauseOf<K extends CauseKind> = Extract<Cause, { kind: K }>;

/** A cause: how it is detected, its verdict and how much it proves. */
export interface Rule<K extends CauseKind> {
  verdict: VerdictKind | ((cause: CauseOf<K>) => VerdictKind);
  /** Where several ends can be reached, the lowest rank is the answer. */
  rank: number;
  /** How far the evidence goes at best; the judge lowers it where evidence is missing. */
  certainty: Certainty | ((cause: CauseOf<K>, task: Task, view: View) => Certainty);
  /** The event may come or never come: nothing in the snapshot promises it. */
  onlyPossible?: true;
  /** For causes that show in the thread itself, whatever it waits for. */
  detect?(task: Task, view: View): CauseOf<K> | null;
}

/** Ranks by importance to the user: progress, then what blocks it, then what is merely idle. */
export const rank = {
  progress: 10,
  proof: 20,
  halted: 30,
  input: 40,
  lock: 50,
  network: 60,
  timer: 70,
  event: 80,
  conversation: 85,
  idle: 90,
  supply: 92,
  signal: 95,
  unclear: 100,
  /** Last: it excuses silence, and must not excuse the silence of another process. */
  hidden: 110,
} as const;

/**
 * The causes that are waits: the verdict, the rank and how much each proves. Causes that show in the thread itself have
 * a file each in `rules`.
 */
export const waits = {
  /** Another process decides about each access to the file (fanotify), and has not answered yet. */
  'access-check': { verdict: 'event', rank: rank.event, certainty: 'medium', onlyPossible: true },
  /** The other side has not answered the first packet of a connection. */
  connecting: { verdict: 'network', rank: rank.network, certainty: 'high' },
  /** Waits for bytes from another machine, or from a process that is not visible. Silence is a fact, not a fault. */
  connection: { verdict: 'network', rank: rank.network, certainty: 'high' },
  /**
   * A client of the daemon. The daemon watches its runs and reports those that are stuck, so silence here is no fault.
   */
  daemon: { verdict: 'service', rank: rank.idle, certainty: 'high' },
  /** A datagram request, most often to a name server, without an answer. */
  datagram: { verdict: 'network', rank: rank.network, certainty: 'high' },
  /** Waits for a device, or for a kernel object without a known name. */
  device: { verdict: 'event', rank: rank.event, certainty: 'medium', onlyPossible: true },
  /** Opening a FIFO waits until a process opens its other end. */
  'fifo-partner': { verdict: 'event', rank: rank.event, certainty: 'high', onlyPossible: true },
  /** Another process has locked the file. */
  'file-lock': {
    verdict: 'lock',
    rank: rank.lock,
    certainty: ({ holders }) => (holders.length > 0 ? 'high' : 'medium'),
  },
  /** Blocked inside a file system that does not answer: a network mount, FUSE, a broken disk. */
  filesystem: { verdict: 'event', rank: rank.event, certainty: 'medium', onlyPossible: true },
  /**
   * A Go program, all of whose goroutines wait for another goroutine: no goroutine is left that could run. Go itself
   * calls that a deadlock. Yet never certain: a finalizer, run after a garbage collection, or a signal handler in C
   * could wake a goroutine.
   */
  goroutines: {
    verdict: ({ forNothing }) => (forNothing ? 'asleep' : 'deadlock'),
    rank: rank.proof,
    certainty: 'high',
  },
  /**
   * The process waits for something and hides it from its own user, as agents that keep keys do: only root could see
   * it.
   */
  hidden: { verdict: 'unknown', rank: rank.hidden, certainty: 'low' },
  /** A System V semaphore or message queue, or a POSIX queue: any process of the machine could post to it. */
  ipc: { verdict: 'event', rank: rank.event, certainty: 'medium', onlyPossible: true },
  /** A closed set: every thread that could wake another thread waits itself, for ever. */
  knot: {
    verdict: ({ alone }) => (alone ? 'asleep' : 'deadlock'),
    rank: rank.proof,
    certainty: ({ proof }) => (({ complete: 'certain', strong: 'high', partial: 'medium' }) as const)[proof],
  },
  /** The command has ended, but a process it left behind keeps its output open. */
  lingering: { verdict: 'lingering', rank: rank.halted, certainty: 'high' },
  /** A server with nothing to do. With connections waiting to be accepted it is less healthy. */
  listening: {
    verdict: 'service',
    rank: rank.idle,
    certainty: ({ socket }) => (socket.receiveQueue > 0 ? 'medium' : 'high'),
  },
  /** Waits for the answer of a server on this machine that has nothing to do itself. */
  'local-peer': { verdict: 'network', rank: rank.conversation, certainty: 'high' },
  /** A cycle of locks with named owners. */
  'lock-cycle': { verdict: 'deadlock', rank: rank.proof, certainty: 'certain' },
  /** A process outside the tree holds the other end, and neither writes to it nor reads from it. */
  'other-end': { verdict: 'event', rank: rank.event, certainty: 'high', onlyPossible: true },
  /** An io_uring or AIO completion; the kernel does not show which file it is about. */
  ring: { verdict: 'event', rank: rank.event, certainty: 'medium', onlyPossible: true },
  /** Waits for a signal that it handles; the snapshot cannot distinguish this from waiting in vain. */
  signal: {
    verdict: 'event',
    rank: rank.signal,
    certainty: ({ explicit }) => (explicit ? 'high' : 'medium'),
    onlyPossible: true,
  },
  /** Blocked reading standard input, and every process that could write to it is outside the tree. */
  stdin: {
    verdict: 'needs-input',
    rank: rank.input,
    // A process inside the tree could write as well: the prompt is real, but it may answer itself. A holder that was
    // overlooked may be about to write.
    certainty: ({ shared, unseen, distant }, _, view) =>
      shared || unseen || distant || !view.searchComplete ? 'high' : 'certain',
  },
  /** Never certain: a finalizer, run after a garbage collection, could wake a goroutine, and so could code in C. */
  'stuck-goroutines': { verdict: 'deadlock', rank: rank.proof, certainty: 'high' },
  /** Blocked reading a terminal whose other side is outside the tree: a user must type. */
  terminal: {
    verdict: 'needs-input',
    rank: rank.input,
    certainty({ timed, terminal: name }, _, view) {
      // Only the other side of a pseudo-terminal is held by a process.
      const known = !name.startsWith('pts/') || view.searchComplete;
      return timed || !known ? 'high' : 'certain';
    },
  },
  /** Goes on by itself when the time is up. */
  timer: {
    verdict: 'timer',
    rank: rank.timer,
    certainty: ({ leftMs, supposed }) => (leftMs === null || supposed ? 'medium' : 'high'),
  },
  /** No known wait matches. The report states that it is unknown. */
  unknown: { verdict: 'unknown', rank: rank.unclear, certainty: 'low', onlyPossible: true },
  /** A page fault that a process must answer (userfaultfd); it may never do so. */
  'page-fault': { verdict: 'event', rank: rank.event, certainty: 'medium', onlyPossible: true },
  /** A process holds the other end, but is not visible to this user. */
  'unseen-holder': { verdict: 'event', rank: rank.event, certainty: 'low', onlyPossible: true },
  /** Waits for files to change. */
  watching: { verdict: 'service', rank: rank.idle, certainty: 'high' },
} satisfies { [K in CauseKind]?: Rule<K> };
