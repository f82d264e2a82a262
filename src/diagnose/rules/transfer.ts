import { isAbsent } from '../../model/facts/absence.js';
import { waitedFds } from '../../model/facts/calls.js';
import type { SocketFacts } from '../../model/facts/sockets.js';
import { type Rule, rank } from '../graph/cause.js';
import type { Task, View } from '../graph/view.js';

/**
 * Less than this between the passes is bookkeeping: wake-up pipes, and the start of small programs, whose counters
 * their parent inherits.
 */
const bytesMin = 32_768;
/** A connection that delivered a byte within this time is delivering. */
const recentMs = 1000;
const packetsMin = 3;

/** More packets in than out, and the last packet just now: a stream, not the answer to a request. */
function isStream({ tcp, receiveQueue }: SocketFacts): boolean {
  if (tcp === undefined || receiveQueue > 0 || tcp.lastReceivedMs >= recentMs) return false;
  return tcp.packetsReceived >= packetsMin && tcp.packetsReceived > tcp.packetsSent;
}

function overSocket({ process, thread }: Task, view: View): number {
  const { call } = thread;
  if (isAbsent(call) || call.at !== 'call' || isAbsent(process.fds)) return 0;
  let bytes = 0;
  for (const { fd } of waitedFds(call, process.fds)) {
    const file = view.file(process, fd);
    const socket = file === undefined ? undefined : view.sockets.of(file);
    if (socket?.tcp === undefined || socket.state !== 'ESTABLISHED') continue;
    const moved = socket.tcp.addedReceived + socket.tcp.addedAcked;
    if (moved > 0) bytes += moved;
    else if (isStream(socket)) bytes += 1;
  }
  return bytes;
}

/** Bytes move over a connection the thread waits on, or through its files. */
export const transfer: Rule<'transfer'> = {
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
