import { isOfKernel } from '../../model/facts/sockets.js';
import type { ChainLink } from '../../model/verdict.js';
import { formatDuration } from '../../text/duration.js';
import type { Cause } from '../graph/cause.js';
import { pathTo } from '../graph/explore.js';
import type { Judgement } from '../judge.js';
import { commandLine } from './names.js';
import { viaWords } from './via-words.js';

/** What the last process of the chain waits for, in a few words. */
export function endWords(cause: Cause): string {
  switch (cause.kind) {
    case 'terminal':
      return `${cause.password ? 'a password' : cause.keys ? 'a key' : 'a line'} on the terminal /dev/${cause.terminal}`;
    case 'stdin':
      return 'input on its standard input';
    case 'timer':
      return cause.leftMs === null ? 'a timer' : `a timer, ${formatDuration(cause.leftMs)} left`;
    case 'connection':
      return `the network: ${cause.socket.remote} (${cause.socket.state})`;
    case 'connecting':
      return `a connection to ${cause.socket.remote}`;
    case 'datagram':
      return cause.dns ? `the name server ${cause.socket.remote}` : `a datagram from ${cause.socket.remote}`;
    case 'local-peer':
      return `an answer from ${cause.socket.remote}`;
    case 'listening':
      if (cause.socket.accepted) return 'the next request of a client';
      return isOfKernel(cause.socket) ? 'news of the kernel' : 'connections';
    case 'daemon':
      return 'news from the daemon of Unstuck';
    case 'watching':
      return 'files to change';
    case 'file-lock':
      return `the lock on ${cause.file}`;
    case 'fifo-partner':
      return `a partner on the FIFO ${cause.path}`;
    case 'other-end':
      return cause.purpose === 'write' ? 'its output to be read' : 'something to be sent to it';
    case 'lingering':
      return 'the end of output that an orphan keeps open';
    case 'signal':
      return 'a signal';
    case 'filesystem':
      return 'a file system';
    case 'device':
      return cause.link;
    case 'ring':
      return 'an asynchronous request';
    case 'ipc':
      return 'a queue or semaphore';
    case 'unseen-holder':
      return `the other end of fd ${cause.file.fd}`;
    case 'knot':
      return cause.alone ? 'nothing that could come' : 'the other members of the deadlock';
    case 'goroutines':
      return cause.forNothing ? 'nothing that could come' : 'its own goroutines, which wait for each other';
    case 'stuck-goroutines':
      return 'its own goroutines, some of which are deadlocked';
    case 'lock-cycle':
      return cause.goneOwner === null ? 'a lock in a circle of locks' : 'a lock that no thread can release';
    case 'hidden':
      return 'something that it hides from its own user';
    case 'unknown':
      return cause.what;
    case 'disk':
      return 'the disk';
    default:
      return '';
  }
}

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
