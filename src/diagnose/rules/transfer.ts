import { isAbsent } from '../../model/absence.js';
import { waitedFds } from '../../model/calls.js';
import type { Task, View } from '../view.js';
import { type Rule, rank } from './rule.js';

/** Less than this between the collects is bookkeeping (wake-up pipes, counters), not data. */
const bytesMin = 4096;
/** A connection that delivered a byte within this time is delivering. */
const recentMs = 1000;

function overSocket({ process, thread }: Task, view: View): number {
  const { call } = thread;
  if (isAbsent(call) || call.at !== 'call' || isAbsent(process.fds)) return 0;
  let bytes = 0;
  for (const { fd } of waitedFds(call, process.fds)) {
    const file = view.file(process, fd);
    const socket = file === undefined ? undefined : view.socketOf(file);
    if (socket?.tcp === undefined || socket.state !== 'ESTABLISHED') continue;
    const { addedReceived, addedAcked, bytesReceived, lastReceivedMs } = socket.tcp;
    const moved = addedReceived + addedAcked;
    if (moved > 0) bytes += moved;
    else if (bytesReceived > 0 && lastReceivedMs < recentMs && socket.receiveQueue === 0) bytes += 1;
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
