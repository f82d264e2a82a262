import { type Libc, loadLibc } from './libc.js';

/** The same numbers on every architecture (they are newer than 5.1). */
const PIDFD_OPEN = 434;
const PIDFD_GETFD = 438;
const SOL_SOCKET = 1;
const SO_RCVTIMEO = 20;
const SO_SNDTIMEO = 21;

export interface SocketTimeouts {
  /** null: no timeout. */
  receiveMs: number | null;
  sendMs: number | null;
}

function timeoutOf(libc: Libc, fd: number, option: number): number | null | undefined {
  const value = Buffer.alloc(16);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(value.length);
  if (libc.getsockopt(fd, SOL_SOCKET, option, value, length) !== 0) return undefined;
  const ms = Number(value.readBigInt64LE(0)) * 1000 + Number(value.readBigInt64LE(8)) / 1000;
  return ms === 0 ? null : ms;
}

/**
 * Timeouts that a program set on a socket show in no file. The socket is borrowed for the time of two getsockopt calls:
 * that takes the rights of reading memory, and neither stops nor wakes the process.
 */
export function readSocketTimeouts(pid: number, fd: number): SocketTimeouts | null {
  const libc = loadLibc();
  if (libc === null) return null;
  const pidfd = libc.syscall(PIDFD_OPEN, pid, 0, 0, 0, 0);
  if (pidfd < 0) return null;
  try {
    const borrowed = libc.syscall(PIDFD_GETFD, pidfd, fd, 0, 0, 0);
    if (borrowed < 0) return null;
    try {
      const receiveMs = timeoutOf(libc, borrowed, SO_RCVTIMEO);
      const sendMs = timeoutOf(libc, borrowed, SO_SNDTIMEO);
      return receiveMs === undefined || sendMs === undefined ? null : { receiveMs, sendMs };
    } finally {
      libc.close(borrowed);
    }
  } finally {
    libc.close(pidfd);
  }
}
