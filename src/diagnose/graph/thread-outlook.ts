import type { Wait } from './awaited.js';
import type { Cause } from './cause.js';
import type { Task } from './view.js';
import type { Waker } from './waker.js';

/** The wait of one thread, and everything that could end it. */
export interface Outlook {
  task: Task;
  /** Set if the state of the thread is the answer; then there is no wait to follow. */
  state: Cause | null;
  wait: Wait | null;
  wakers: Waker[];
}
