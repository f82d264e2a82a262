export type FdKind =
  | 'pipe'
  | 'fifo'
  | 'socket'
  | 'terminal'
  | 'ptmx'
  | 'epoll'
  | 'eventfd'
  | 'timerfd'
  | 'signalfd'
  | 'inotify'
  | 'pidfd'
  | 'io_uring'
  | 'null'
  | 'file'
  | 'device'
  | 'other';

export interface FdFacts {
  fd: number;
  kind: FdKind;
  link: string;
  /** One name per kernel object, the same wherever it is open: `pipe:123`, `eventfd:7`. */
  object: string;
  read: boolean;
  write: boolean;
  /** It was closed, or its number was reused, while the snapshot was taken. */
  closed?: true;
  /**
   * Another process has a file of this kind open, and the kernel does not show whether it is the same: it would have been
   * passed on in a message, or inherited.
   */
  maybeShared?: 'passed' | 'inherited';
  detail?: FdDetail;
}

/** `moved`: the number now belongs to another file than the one that is watched. */
export interface EpollTarget {
  fd: number;
  events: number;
  inode: number | null;
  moved?: true | 'unknown';
}

export type FdDetail =
  | { of: 'epoll'; targets: EpollTarget[] }
  | { of: 'timerfd'; leftMs: number | null }
  | { of: 'pidfd'; pid: number }
  | { of: 'ptmx'; index: number }
  | { of: 'signalfd'; mask: string }
  | { of: 'inotify'; watches: number }
  /** `files`: links of the files that it keeps open without a descriptor; null: not known. */
  | { of: 'io_uring'; pending: string[]; files?: string[] | null }
  | { of: 'eventfd'; count: number }
  /** `timed`: a read returns after a while even without a key (VMIN 0, VTIME > 0); `afterMs`: after how long. */
  | { of: 'terminal'; canonical: boolean; echo: boolean; timed: boolean; afterMs?: number }
  | { of: 'locked'; locks: number }
  /** Timeouts set on a socket; null: for ever. */
  | { of: 'socket'; receiveMs: number | null; sendMs: number | null }
  | { of: 'text'; lastLine: string };
