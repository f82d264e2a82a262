import type { SocketFacts } from '../../../model/facts/sockets.js';
import type { Libc } from '../native/libc.js';
import { formatAddress, tcpStateName } from './net.js';

const AF_UNIX = 1;
const AF_INET = 2;
const AF_INET6 = 10;
const AF_NETLINK = 16;
const SOCK_STREAM = 1;
const SOCK_RAW_CLOEXEC = 3 | 0o2000000;
const NETLINK_SOCK_DIAG = 4;
const SOCK_DIAG_BY_FAMILY = 20;
const NLM_F_REQUEST = 0x1;
const NLM_F_REQUEST_DUMP = 0x301;
const NLMSG_ERROR = 2;
const ENOENT = 2;
const TCP_LISTEN = 10;
const NLMSG_DONE = 3;
const replyBytes = 256 * 1024;
/** A dump that never ends must not hang this process: 4,096 datagrams are over a million sockets. */
const datagramsMax = 4096;

/** Sizes of struct unix_diag_msg and inet_diag_msg, with which every answer begins. */
const unixBytes = 16;
const inetBytes = 72;

/** Requests all sockets of a family from the kernel; `each` gets every message's payload, of at least that size. */
function dump(libc: Libc, request: Buffer, payloadMin: number, each: (payload: Buffer) => void): boolean {
  const fd = libc.socket(AF_NETLINK, SOCK_RAW_CLOEXEC, NETLINK_SOCK_DIAG);
  if (fd < 0) return false;
  try {
    if (libc.send(fd, request, request.length, 0) !== request.length) return false;
    const reply = Buffer.alloc(replyBytes);
    for (let datagrams = 0; datagrams < datagramsMax; datagrams += 1) {
      const length = libc.recv(fd, reply, reply.length, 0);
      if (length <= 0) return false;
      for (let at = 0; at + 16 <= length; ) {
        const size = reply.readUInt32LE(at);
        const type = reply.readUInt16LE(at + 4);
        if (type === NLMSG_DONE) return true;
        if (type === NLMSG_ERROR || size < 16 + payloadMin || at + size > length) return false;
        each(reply.subarray(at + 16, at + size));
        at += (size + 3) & ~3;
      }
    }
    return false;
  } finally {
    libc.close(fd);
  }
}

function message(body: Buffer, flags = NLM_F_REQUEST_DUMP): Buffer {
  const header = Buffer.alloc(16);
  header.writeUInt32LE(16 + body.length, 0);
  header.writeUInt16LE(SOCK_DIAG_BY_FAMILY, 4);
  header.writeUInt16LE(flags, 6);
  header.writeUInt32LE(1, 8);
  return Buffer.concat([header, body]);
}

function* attributes(payload: Buffer, from: number): Generator<[type: number, value: Buffer]> {
  for (let at = from; at + 4 <= payload.length; ) {
    const size = payload.readUInt16LE(at);
    if (size < 4) return;
    yield [payload.readUInt16LE(at + 2) & 0x3fff, payload.subarray(at + 4, at + size)];
    at += (size + 3) & ~3;
  }
}

/** Unix sockets with the inode of their other end; null: the kernel did not answer. */
export function diagUnix(libc: Libc): SocketFacts[] | null {
  const body = Buffer.alloc(24);
  body[0] = AF_UNIX;
  body.writeUInt32LE(0xffffffff, 4);
  body.writeUInt32LE(0x1 | 0x4 | 0x8 | 0x10, 12); // name, peer, waiting connections, queue lengths
  const sockets: SocketFacts[] = [];
  const complete = dump(libc, message(body), unixBytes, (payload) => {
    const state = payload[2] ?? 0;
    const socket: SocketFacts = {
      inode: payload.readUInt32LE(4),
      space: 'own',
      family: 'unix',
      state: state === 10 ? 'LISTEN' : state === 1 ? 'ESTABLISHED' : 'UNCONNECTED',
      local: '',
      remote: '',
      receiveQueue: 0,
      sendQueue: 0,
    };
    if (payload[1] !== SOCK_STREAM) socket.datagrams = true;
    for (const [type, value] of attributes(payload, unixBytes)) {
      if (type === 0) socket.local = value.toString('utf8').replace(/^\0/, '@').replace(/\0+$/, '');
      if (type === 2 && value.length >= 4) socket.peer = value.readUInt32LE(0);
      if (type === 4 && value.length >= 8) {
        socket.receiveQueue = value.readUInt32LE(0);
        socket.sendQueue = value.readUInt32LE(4);
      }
    }
    sockets.push(socket);
  });
  return complete ? sockets : null;
}

function inetRequest(family: number): Buffer {
  const body = Buffer.alloc(56);
  body[0] = family;
  body[1] = 6; // IPPROTO_TCP
  body[2] = 1 << 1; // INET_DIAG_INFO
  body.writeUInt32LE(0xffffffff, 4);
  return message(body);
}

function inetSocket(payload: Buffer): SocketFacts {
  const addressBytes = payload[0] === AF_INET ? 4 : 16;
  const socket: SocketFacts = {
    inode: payload.readUInt32LE(68),
    space: 'own',
    family: 'tcp',
    state: tcpStateName(payload[1] ?? 0),
    local: formatAddress([...payload.subarray(8, 8 + addressBytes)], payload.readUInt16BE(4)),
    remote: formatAddress([...payload.subarray(24, 24 + addressBytes)], payload.readUInt16BE(6)),
    receiveQueue: payload.readUInt32LE(56),
    sendQueue: payload.readUInt32LE(60),
    retransmits: payload[3] ?? 0,
  };
  for (const [type, info] of attributes(payload, inetBytes)) {
    // Offsets of struct tcp_info (linux/tcp.h); kernels before 4.1 have no byte counters.
    if (type !== 2 || info.length < 136) continue;
    socket.tcp = {
      lastSentMs: info.readUInt32LE(44),
      lastReceivedMs: info.readUInt32LE(52),
      bytesAcked: Number(info.readBigUInt64LE(120)),
      bytesReceived: Number(info.readBigUInt64LE(128)),
      packetsReceived: info.length >= 160 ? info.readUInt32LE(152) : 0,
      packetsSent: info.length >= 160 ? info.readUInt32LE(156) : 0,
      addedReceived: 0,
      addedAcked: 0,
    };
  }
  return socket;
}

/** TCP sockets with struct tcp_info: bytes so far and how long ago the last byte came. */
export function diagTcp(libc: Libc): SocketFacts[] | null {
  const sockets: SocketFacts[] = [];
  for (const family of [AF_INET, AF_INET6]) {
    const request = inetRequest(family);
    if (!dump(libc, request, inetBytes, (payload) => sockets.push(inetSocket(payload)))) return null;
  }
  return sockets;
}

/** One end of an IPv4 connection, as the kernel wants it: address and port. */
export interface End {
  address: string;
  port: number;
}

const answerBytes = 4096;

/**
 * The user that has the end `near` of an IPv4 connection open; null: no process has. One socket is asked for, which takes the kernel
 * microseconds however many there are. undefined: the kernel did not answer.
 */
export function diagOwner(libc: Libc, near: End, far: End): number | null | undefined {
  const body = Buffer.alloc(56);
  body[0] = AF_INET;
  body[1] = 6; // IPPROTO_TCP
  body.writeUInt32LE(0xffffffff, 4);
  body.writeUInt16BE(near.port, 8);
  body.writeUInt16BE(far.port, 10);
  Buffer.from(near.address.split('.').map(Number)).copy(body, 12);
  Buffer.from(far.address.split('.').map(Number)).copy(body, 28);
  body.fill(0xff, 48); // INET_DIAG_NOCOOKIE
  const fd = libc.socket(AF_NETLINK, SOCK_RAW_CLOEXEC, NETLINK_SOCK_DIAG);
  if (fd < 0) return undefined;
  try {
    const request = message(body, NLM_F_REQUEST);
    if (libc.send(fd, request, request.length, 0) !== request.length) return undefined;
    const answer = Buffer.alloc(answerBytes);
    return ownerIn(answer.subarray(0, Math.max(0, libc.recv(fd, answer, answer.length, 0))), body);
  } finally {
    libc.close(fd);
  }
}

function ownerIn(answer: Buffer, asked: Buffer): number | null | undefined {
  if (answer.length < 20) return undefined;
  const type = answer.readUInt16LE(4);
  if (type === NLMSG_ERROR) return answer.readInt32LE(16) === -ENOENT ? null : undefined;
  if (type !== SOCK_DIAG_BY_FAMILY || answer.length < 16 + inetBytes) return undefined;
  const payload = answer.subarray(16);
  // Ports of both ends, as they were asked for. A listening socket is not an end of a connection.
  if (payload.compare(asked, 8, 12, 4, 8) !== 0 || payload[1] === TCP_LISTEN) return null;
  // A socket that was closed already has no inode, and is shown as root's.
  return payload.readUInt32LE(68) === 0 ? null : payload.readUInt32LE(64);
}
