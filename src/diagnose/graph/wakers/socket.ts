import { isAbsent } from '../../../model/facts/absence.js';
import type { FdFacts } from '../../../model/facts/snapshot.js';
import { isOfKernel, type SocketFacts } from '../../../model/facts/sockets.js';
import type { Purpose } from '../awaited.js';
import type { Cause } from '../cause.js';
import type { Holders, Task, View } from '../view.js';
import { toProcesses, type Waker } from '../waker.js';
import { inputWakers } from './input.js';
import { isStdin } from './pipe.js';

const outside = (cause: Extract<Waker, { to: 'outside' }>['cause']): Waker => ({
  to: 'outside',
  cause,
  strength: 'plain',
});

function holdersOf(view: View, inode: number): Holders {
  return view.endOf(`socket:${inode}`, 'any');
}

/** A visible process holds the other end: it is followed, and the edge is marked as a conversation. */
function peers(
  task: Task,
  pids: readonly number[],
  via: 'tcp' | 'unix-socket',
  named: SocketFacts | null,
): Waker[] {
  const idle = named !== null && isAnswered(named);
  const wakers = toProcesses(pids, via, { idle });
  const peer = pids.find((pid) => pid !== task.process.pid);
  if (named !== null && peer !== undefined) {
    const cause: Cause = { kind: 'local-peer', peer, socket: named, idle };
    wakers.push({ to: 'outside', cause, strength: 'derived' });
  }
  return wakers;
}

/** A server waits for the next request of a client: no client outside the tree owes it a request. */
function requestWakers(
  task: Task,
  inside: readonly number[],
  via: 'tcp' | 'unix-socket',
  socket: SocketFacts,
): Waker[] {
  return inside.length > 0 ? peers(task, inside, via, socket) : [outside({ kind: 'listening', socket })];
}

function connectPath({ thread: { call } }: Task): string | null {
  return !isAbsent(call) && call.at === 'call' && typeof call.path === 'string' ? call.path : null;
}

const daemonSocket = /\/daemon\.sock$/;

/** The daemon serves many clients and watches many runs: this client waits for its own run, or for news. */
function daemonWakers(view: View, { process }: Task, path: string): Waker[] {
  const { attends } = process;
  return attends !== undefined && view.process(attends) !== undefined
    ? toProcesses([attends], 'run')
    : [outside({ kind: 'daemon', path })];
}

/** The process of `unstuck daemon run` holds the other end. */
function isDaemon(view: View, pids: readonly number[], path: string): boolean {
  return daemonSocket.test(path) && pids.some((pid) => view.process(pid)?.command.endsWith(' daemon run'));
}

function unixWakers(view: View, task: Task, file: FdFacts, socket: SocketFacts, purpose: Purpose): Waker[] {
  if (socket.state === 'LISTEN') return [outside({ kind: 'listening', socket })];
  const path = purpose === 'connect' ? connectPath(task) : null;
  if (path !== null) {
    // Its backlog is full: the server that does not accept is the cause.
    const listener = view.sockets.unixListener(socket.space, path);
    const servers = listener === undefined ? [] : holdersOf(view, listener.inode).pids;
    if (servers.length > 0) return peers(task, servers, 'unix-socket', { ...socket, remote: path });
    return [outside({ kind: 'connecting', socket: { ...socket, remote: path } })];
  }
  if (socket.peer === undefined) {
    // A datagram is not taken: the queue of its receiver is full, and only the arguments of the call name the receiver.
    if (purpose === 'write') return [outside({ kind: 'other-end', file, purpose: 'write', holders: [] })];
    // Datagram and unconnected sockets: any process may send.
    return [outside({ kind: 'listening', socket })];
  }
  const { pids, insiders, outsiders } = holdersOf(view, socket.peer);
  const stdin = purpose !== 'write' && isStdin(view, task, file);
  if (stdin && (pids.length === 0 || outsiders.some((pid) => view.isAncestor(pid)))) {
    const shared = insiders.length > 0;
    return inputWakers(view, file, outsiders, { via: 'unix-socket', shared });
  }
  if (socket.accepted && purpose !== 'write') return requestWakers(task, insiders, 'unix-socket', socket);
  if (pids.length === 0) return [outside({ kind: 'unseen-holder', file })];
  const named = view.snapshot.sockets.find((row) => row.inode === socket.peer && row.local !== '');
  if (named !== undefined && purpose !== 'write' && isDaemon(view, pids, named.local))
    return daemonWakers(view, task, named.local);
  const wakers = peers(
    task,
    pids,
    'unix-socket',
    named === undefined ? null : { ...socket, remote: named.local },
  );
  if (purpose === 'write' && outsiders.length > 0) {
    wakers.push({
      to: 'outside',
      cause: { kind: 'other-end', file, purpose: 'write', holders: outsiders },
      strength: 'derived',
    });
  }
  if (purpose !== 'write' && outsiders.length > 0 && named === undefined) {
    const cause: Cause = stdin
      ? { kind: 'stdin', file, holders: outsiders, shared: false, unseen: false }
      : { kind: 'other-end', file, purpose: 'read', holders: outsiders };
    wakers.push({ to: 'outside', cause, strength: 'derived' });
  }
  return wakers;
}

/** The last data came in and nothing is on its way: a connection kept open for later. */
export function isAnswered({ tcp, sendQueue, receiveQueue }: SocketFacts): boolean {
  if (tcp === undefined || sendQueue > 0 || receiveQueue > 0) return false;
  return tcp.bytesReceived > 0 && tcp.lastReceivedMs <= tcp.lastSentMs;
}

function tcpWakers(view: View, task: Task, socket: SocketFacts, purpose: Purpose): Waker[] {
  if (socket.state === 'LISTEN') return [outside({ kind: 'listening', socket })];
  const other = view.sockets.reverse(socket);
  const listener = view.sockets.listenerFor(socket);
  if (socket.state === 'SYN_SENT') {
    // A full backlog on this machine: the server that does not accept is the cause.
    const pids = listener === undefined ? [] : holdersOf(view, listener.inode).pids;
    return [outside({ kind: 'connecting', socket }), ...toProcesses(pids, 'tcp')];
  }
  const inode = other !== undefined && other.inode !== 0 ? other.inode : listener?.inode;
  const held = other === undefined || inode === undefined ? null : holdersOf(view, inode);
  const { pids, insiders } = held ?? { pids: [], insiders: [] };
  if (socket.accepted && purpose !== 'write') return requestWakers(task, insiders, 'tcp', socket);
  if (pids.length > 0) return peers(task, pids, 'tcp', socket);
  return [outside({ kind: 'connection', socket, idle: isAnswered(socket) })];
}

/**
 * A process that has joined groups of netlink waits for news, as a process that captures packets does; without a group,
 * it waits for an answer.
 */
function kernelWaker(socket: SocketFacts, file: FdFacts, purpose: Purpose): Waker {
  const isForNews = socket.family === 'packet' || socket.state === 'SUBSCRIBED';
  return outside(
    isForNews && purpose !== 'write'
      ? { kind: 'listening', socket }
      : { kind: 'device', link: `the kernel on fd ${file.fd} (${socket.family})` },
  );
}

/** The other end of a socket ends the wait: on this machine it is a process to follow, elsewhere the network. */
export function socketWakers(view: View, task: Task, file: FdFacts, purpose: Purpose): Waker[] {
  const socket = view.sockets.of(file);
  if (file.closed) return [outside({ kind: 'changing', change: 'closed' })];
  if (socket === undefined)
    return [outside({ kind: 'device', link: `a message on fd ${file.fd} (an unknown kind of socket)` })];
  if (isOfKernel(socket)) return [kernelWaker(socket, file, purpose)];
  if (socket.family === 'unix') return unixWakers(view, task, file, socket, purpose);
  if (socket.family === 'tcp') return tcpWakers(view, task, socket, purpose);
  const dns = socket.remote.endsWith(':53');
  const unconnected = /:0$/.test(socket.remote);
  return [outside(unconnected && !dns ? { kind: 'listening', socket } : { kind: 'datagram', socket, dns })];
}
