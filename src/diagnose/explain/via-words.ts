import type { Via } from '../graph/waker.js';

/** How a process waits for the next process of the chain: `waits for its child …`. */
export const viaWords: Record<Via, string> = {
  child: 'its child',
  pipe: 'output of',
  'pipe-reader': 'its output to be read by',
  'unix-socket': 'an answer (unix socket) from',
  tcp: 'an answer (TCP) from',
  terminal: 'the program on the other side of its terminal',
  mutex: 'a lock held by',
  join: 'a thread of',
  monitor: 'a Java monitor held by',
  futex: 'a wake-up from',
  eventfd: 'an event from',
  pidfd: 'the end of',
  fifo: 'the FIFO held by',
  'file-lock': 'a file lock held by',
  tracer: 'its debugger',
  filter: 'a decision about its call (seccomp) by',
  run: 'the background run',
};
