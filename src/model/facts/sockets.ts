/** The other end of `netlink` and `packet` is the kernel. */
export type SocketFamily = 'tcp' | 'udp' | 'unix' | 'netlink' | 'packet';

export function isOfKernel({ family }: SocketFacts): boolean {
  return family === 'netlink' || family === 'packet';
}

export interface SocketFacts {
  inode: number;
  /** Network namespace; addresses compare only within one. */
  space: string;
  family: SocketFamily;
  /** TCP state name; for unix sockets LISTEN, ESTABLISHED or UNCONNECTED; for netlink SUBSCRIBED (to groups) or UNCONNECTED. */
  state: string;
  local: string;
  remote: string;
  receiveQueue: number;
  sendQueue: number;
  /** A unix socket that keeps messages apart: one may have no bytes. */
  datagrams?: true;
  /** Of a unix socket with unread messages: open files that they carry; absent: not known. */
  unreadFiles?: number;
  /** A listening socket has the same local address: this is the server's end of a connection. */
  accepted?: true;
  /** Inode of the other end of a unix socket; 0: not accepted yet. */
  peer?: number;
  retransmits?: number;
  tcp?: {
    lastReceivedMs: number;
    lastSentMs: number;
    bytesReceived: number;
    bytesAcked: number;
    /** Packets with data, each way; 0 where the kernel does not count them. */
    packetsReceived: number;
    packetsSent: number;
    addedReceived: number;
    addedAcked: number;
  };
}

/**
 * An address of this machine that a thread tried to reach before its present, short sleep, and on which no process
 * listens. It was found in the part of the thread's stack that is not in use any more.
 */
export interface DialledAddress {
  pid: number;
  /** `127.0.0.1:5432`, `[::1]:5432`. */
  address: string;
  /** Attempts to connect that have failed in its network namespace so far: it grows while one is made again and again. */
  failedAttempts: number;
}
