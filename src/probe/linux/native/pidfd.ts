import type { SocketTimeouts } from '../kernel/kernel.js';
import { type Libc, loadLibc } from './libc.js';

/** Newer than the tables that differ by architecture: the same number everywhere. */
const pidfdSendSignal = 424;
const pidfdOpen = 434;
const pidfdGetfd = 438;

/** A process held by a descriptor instead of a pid: a signal sent through it reaches this process or none. */
export interface Pidfd {
  /** false: the process has ended, or the right is missing. */
  send(signal: number): boolean;
  close(): void;
}

/** null: there is no such process, or no native code, or the kernel is older than 5.3. */
export function openPidfd(pid: number): Pidfd | null {
  const libc = loadLibc();
  const fd = libc?.syscall(pidfdOpen, pid, 0, 0, 0, 0) ?? -1;
  if (libc === null || fd < 0) return null;
  return {
    send: (signal) => libc.syscall(pidfdSendSignal, fd, signal, 0, 0, 0) === 0,
    close: () => void libc.close(fd),
  };
}

const SOL_SOCKET = 1;
const SO_RCVTIMEO = 20;
const SO_SNDTIMEO = 21;
const IPPROTO_TCP = 6;
const TCP_USER_TIMEOUT = 18;

function timeoutOf(libc: Libc, fd: number, option: number): number | null | undefined {
  const value = optionOf(libc, fd, SOL_SOCKET, option);
  if (value === null) return undefined;
  const ms = Number(value.readBigInt64LE(0)) * 1000 + Number(value.readBigInt64LE(8)) / 1000;
  return ms === 0 ? null : ms;
}

function optionOf(libc: Libc, fd: number, level: number, option: number): Buffer | null {
  const value = Buffer.alloc(16);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(value.length);
  return libc.getsockopt(fd, level, option, value, length) === 0 ? value : null;
}

/** After this time the kernel gives up a TCP connection whose peer does not take what was sent; null: never. */
function userTimeoutOf(libc: Libc, fd: number): number | null {
  const ms = optionOf(libc, fd, IPPROTO_TCP, TCP_USER_TIMEOUT)?.readUInt32LE(0) ?? 0;
  return ms === 0 ? null : ms;
}

/** The timeout that ends first; null: none. */
function sooner(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

/**
 * Timeouts that a program set on a socket show in no file. The socket is borrowed for the time of three getsockopt calls:
 * that takes the rights of reading memory, and neither stops nor wakes the process.
 */
export function readSocketTimeouts(pid: number, fd: number): SocketTimeouts | null {
  const libc = loadLibc();
  if (libc === null) return null;
  const pidfd = libc.syscall(pidfdOpen, pid, 0, 0, 0, 0);
  if (pidfd < 0) return null;
  try {
    const borrowed = libc.syscall(pidfdGetfd, pidfd, fd, 0, 0, 0);
    if (borrowed < 0) return null;
    try {
      const receiveMs = timeoutOf(libc, borrowed, SO_RCVTIMEO);
      const sendMs = timeoutOf(libc, borrowed, SO_SNDTIMEO);
      if (receiveMs === undefined || sendMs === undefined) return null;
      return { receiveMs, sendMs: sooner(sendMs, userTimeoutOf(libc, borrowed)) };
    } finally {
      libc.close(borrowed);
    }
  } finally {
    libc.close(pidfd);
  }
}
