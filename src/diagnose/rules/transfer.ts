import { isAbsent } from '../../model/absence.js';
import { waitedFds } from '../../model/calls.js';
import type { Task, View } from '../view.js';
import { type Rule, rank } from './rule.js';

/**
 * Less than this between the collects is bookkeeping: wake-up pipes, and the start of small programs, whose
 * counters their parent inherits.
 */
const bytesMin = 32_768;
/** A connection that delivered a byte within this time is delivering. */
const recentMs = 1000;

/** A thread that waits for nothing but its connections is a client; what a server got just now is a request. */
function overSocket({ process, thread }: Task, view: View): number {
  const { call } = thread;
  if (isAbsent(call) || call.at !== 'call' || isAbsent(process.fds)) return 0;
  const sockets = waitedFds(call, process.fds).flatMap(({ fd }) => {
    const file = view.file(process, fd);
    return (file && view.socketOf(file)) ?? [];
  });
  const client = sockets.every(({ state }) => state !== 'LISTEN');
  let bytes = 0;
  for (const { tcp, state, receiveQueue } of sockets) {
    if (tcp === undefined || state !== 'ESTABLISHED') continue;
    const moved = tcp.addedReceived + tcp.addedAcked;
    const recent = tcp.bytesReceived > 0 && tcp.lastReceivedMs < recentMs && receiveQueue === 0;
    if (moved > 0) bytes += moved;
    else if (client && recent) bytes += 1;
  }
  return bytes;
}

/** Bytes move over a connection the thread waits on, or through its files. */
export const transfer: Rule<'transfer'> = {
  cause: 'transfer',
  verdict: 'working',
  rank: rank.progress,
  certainty: 'high',
  detect(task, view) {
    const bytes = overSocket(task, view);
    if (bytes > 0) return { kind: 'transfer', bytes, over: 'socket' };
    const { io } = task.process;
    if (io === null || task.thread.moved !== true) return null;
    const added = io.addedReadChars + io.addedWriteChars;
    return added >= bytesMin ? { kind: 'transfer', bytes: added, over: 'file' } : null;
  },
};
