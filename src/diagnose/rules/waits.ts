import type { CauseKind } from '../graph/cause.js';
import { type Rule, rank } from './rule.js';

/**
 * The awaited things, one row per cause: its verdict, its rank and how much it proves. Causes that show in the thread
 * itself have a file each.
 */
export const waits = {
  /** The other side has not answered the first packet of a connection. */
  connecting: {
    verdict: 'network',
    rank: rank.network,
    certainty: 'high',
  },
  /** Waits for bytes from another machine, or from a process that is not visible. Silence is a fact, not a fault. */
  connection: {
    verdict: 'network',
    rank: rank.network,
    certainty: 'high',
  },
  /**
   * A client of the daemon. The daemon watches its runs and reports those that are stuck, so silence here is no fault.
   */
  daemon: {
    verdict: 'service',
    rank: rank.idle,
    certainty: 'high',
  },
  /** A datagram request, most often to a name server, without an answer. */
  datagram: {
    verdict: 'network',
    rank: rank.network,
    certainty: 'high',
  },
  /** Waits for a device, or for a kernel object without a known name. */
  device: {
    verdict: 'event',
    rank: rank.event,
    certainty: 'medium',
    onlyPossible: true,
  },
  /** Opening a FIFO waits until a process opens its other end. */
  'fifo-partner': {
    verdict: 'event',
    rank: rank.event,
    certainty: 'high',
    onlyPossible: true,
  },
  /** Another process has locked the file. */
  'file-lock': {
    verdict: 'lock',
    rank: rank.lock,
    certainty: ({ holders }) => (holders.length > 0 ? 'high' : 'medium'),
  },
  /** Blocked inside a file system that does not answer: a network mount, FUSE, a broken disk. */
  filesystem: {
    verdict: 'event',
    rank: rank.event,
    certainty: 'medium',
    onlyPossible: true,
  },
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
  hidden: {
    verdict: 'unknown',
    rank: rank.hidden,
    certainty: 'low',
  },
  /** A System V semaphore or message queue, or a POSIX queue: any process of the machine could post to it. */
  ipc: {
    verdict: 'event',
    rank: rank.event,
    certainty: 'medium',
    onlyPossible: true,
  },
  /** A closed set: every thread that could wake another thread waits itself, for ever. */
  knot: {
    verdict: ({ alone }) => (alone ? 'asleep' : 'deadlock'),
    rank: rank.proof,
    certainty: ({ proof }) => (({ complete: 'certain', strong: 'high', partial: 'medium' }) as const)[proof],
  },
  /** The command has ended, but a process it left behind keeps its output open. */
  lingering: {
    verdict: 'lingering',
    rank: rank.halted,
    certainty: 'high',
  },
  /** A server with nothing to do. With connections waiting to be accepted it is less healthy. */
  listening: {
    verdict: 'service',
    rank: rank.idle,
    certainty: ({ socket }) => (socket.receiveQueue > 0 ? 'medium' : 'high'),
  },
  /** Waits for the answer of a server on this machine that has nothing to do itself. */
  'local-peer': {
    verdict: 'network',
    rank: rank.conversation,
    certainty: 'high',
  },
  /** A cycle of locks with named owners. */
  'lock-cycle': {
    verdict: 'deadlock',
    rank: rank.proof,
    certainty: 'certain',
  },
  /** A process outside the tree holds the other end, and neither writes to it nor reads from it. */
  'other-end': {
    verdict: 'event',
    rank: rank.event,
    certainty: 'high',
    onlyPossible: true,
  },
  /** An io_uring or AIO completion; the kernel does not show which file it is about. */
  ring: {
    verdict: 'event',
    rank: rank.event,
    certainty: 'medium',
    onlyPossible: true,
  },
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
    certainty: ({ shared, unseen }, _, view) =>
      shared || unseen || !view.searchComplete ? 'high' : 'certain',
  },
  /** Never certain: a finalizer, run after a garbage collection, could wake a goroutine, and so could code in C. */
  'stuck-goroutines': {
    verdict: 'deadlock',
    rank: rank.proof,
    certainty: 'high',
  },
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
  unknown: {
    verdict: 'unknown',
    rank: rank.unclear,
    certainty: 'low',
    onlyPossible: true,
  },
  /** A process holds the other end, but is not visible to this user. */
  'unseen-holder': {
    verdict: 'event',
    rank: rank.event,
    certainty: 'low',
    onlyPossible: true,
  },
  /** Waits for files to change. */
  watching: {
    verdict: 'service',
    rank: rank.idle,
    certainty: 'high',
  },
} satisfies { [K in CauseKind]?: Rule<K> };
