import type { ChainLink } from '../../model/verdict.js';
import { pathTo } from '../graph/explore.js';
import type { Via } from '../graph/waker.js';
import type { Judgement } from '../judge.js';
import { commandLine } from './names.js';
import { endWords } from './sentences.js';

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

/**
 * From the target to the process at the end, and what that process waits for. An empty `waitsFor`: it does not wait.
 */
export function chainOf({ view, exploration, cause, task, waiter }: Judgement): ChainLink[] {
  const path = pathTo(exploration, task.process.pid);
  const links = path.flatMap(({ pid }, index) => {
    const process = view.process(pid);
    if (process === undefined) return [];
    const via = path[index + 1]?.step?.via;
    const last = task === waiter ? endWords(cause) : '';
    const waitsFor = via === undefined ? last : viaWords[via];
    return [
      {
        pid,
        command: commandLine(process),
        waitsFor,
        ...(view.hasMember(process.pid) ? {} : { outside: true as const }),
      },
    ];
  });
  const { target } = view;
  if (target === undefined || exploration.steps.has(target.pid)) return links;
  // The target merely sleeps: the answer is about the rest of its tree.
  return [{ pid: target.pid, command: commandLine(target), waitsFor: 'nothing, beside' }, ...links];
}
